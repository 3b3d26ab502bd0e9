import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Panes and tables at every width: sizes that the user chooses, and nothing that scrolls sideways. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const widthOf = async (name: string): Promise<number> =>
  (await window.page.getByRole('complementary', { name }).boundingBox())?.width ?? 0;

it('changes the width of a pane by drag and by key, within its limits, and resets it', async () => {
  const { page } = window;
  await window.show('scenario=pull742');
  const splitter = page.getByRole('separator', { name: 'Width of the sidebar' });
  const before = await widthOf('Nodes and jobs');
  const box = await splitter.boundingBox();
  if (!box) throw new Error('The separator is not on the screen.');
  await page.mouse.move(box.x + 3, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 83, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => widthOf('Nodes and jobs')).toBeCloseTo(before + 80, -1);
  await splitter.press('ArrowLeft');
  await expect.poll(() => widthOf('Nodes and jobs')).toBeCloseTo(before + 64, -1);
  await splitter.press('End');
  await expect.poll(() => widthOf('Nodes and jobs')).toBeLessThanOrEqual(420);
  await splitter.dblclick();
  await expect.poll(() => widthOf('Nodes and jobs')).toBeCloseTo(before, 0);

  const player = await widthOf('Player');
  await page.getByRole('separator', { name: 'Width of the inspector' }).press('ArrowLeft');
  await expect.poll(() => widthOf('Player')).toBeCloseTo(player + 16, 0);
});

const openSaved = async (): Promise<void> => {
  await window.find('runsTab').click();
  await window.page.locator('[data-run="run-1"]').dblclick();
  await window.find('runAgain').waitFor();
};
const openTab = (tab: 'nodesTab' | 'runsTab') => (): Promise<void> => window.find(tab).click();

it.each([
  ['an active run', 'scenario=pull742', () => Promise.resolve()],
  ['a tester at its limit', 'scenario=limitedLive', () => Promise.resolve()],
  ['a saved run', 'scenario=fail256', openSaved],
  ['the runs', 'scenario=fail256', openTab('runsTab')],
  ['the nodes and the streams of one', 'scenario=fleet742', openTab('nodesTab')],
] as const)('scrolls nothing sideways: %s', async (_, query, open) => {
  await window.show(query);
  await open();
  for (const width of [1280, 1440, 1920]) {
    await window.page.setViewportSize({ width, height: 900 });
    const wider = (): Promise<readonly string[]> =>
      window.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('body *')]
          .filter((element) => {
            const { overflowX } = getComputedStyle(element);
            const isScroller = overflowX === 'auto' || overflowX === 'scroll';
            return isScroller && !element.closest('[inert]') && element.scrollWidth > element.clientWidth + 1;
          })
          .map((element) => `${element.tagName} ${element.className} ${element.scrollWidth} ${element.clientWidth}`),
      );
    await expect.poll(wider, { message: `${width} px` }).toEqual([]);
  }
});
