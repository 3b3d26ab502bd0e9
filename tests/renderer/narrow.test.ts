import { expect, it } from 'vitest';
import { layoutProblems } from './layout';
import { windowTest, type WindowPage } from './windowPage';

/** Every state of the console at the minimum window size and larger ones: nothing overlaps or is clipped. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const sizes = [
  { width: 1024, height: 640 },
  { width: 1120, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;

const openSaved = async (): Promise<void> => {
  await window.find('runsTab').click();
  await window.page.locator('[data-run="run-1"]').dblclick();
  await window.find('runAgain').or(window.page.getByTestId('imported-step')).waitFor();
};
const openFailures = async (): Promise<void> => {
  await window.find('failures').getByRole('button').click();
  await window.find('failuresPopover').waitFor();
};
const closeFailures = async (): Promise<void> => {
  await window.page.keyboard.press('Escape');
  await window.find('failuresPopover').waitFor({ state: 'detached' });
};
const showNodes = async (): Promise<void> => {
  await window.find('nodesTab').click();
  await window.find('fleetRow').first().waitFor();
};
const showRuns = async (): Promise<void> => {
  await window.find('runsTab').click();
  await window.find('runsFilter').waitFor();
};
const showConsole = async (): Promise<void> => {
  await window.find('consoleTab').click();
  await window.find('runsFilter').waitFor({ state: 'detached' });
};
const none = (): Promise<void> => Promise.resolve();

/** Problems of each state at each width, by its name. */
async function problemsIn(name: string): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const size of sizes) {
    await window.page.setViewportSize(size);
    await window.page.waitForTimeout(150);
    const problems = await layoutProblems(window.page);
    if (problems.length > 0) found[`${name}, ${size.width} px`] = problems;
  }
  return found;
}

it('fits an active run at every width: with open failures, behind the list of runs, and while it stops', async () => {
  await window.show('scenario=pull742');
  const found = await problemsIn('active');
  await openFailures();
  Object.assign(found, await problemsIn('failures'));
  await closeFailures();
  await showRuns();
  Object.assign(found, await problemsIn('list of runs'));
  await showConsole();
  await window.find('stopAll').click();
  Object.assign(found, await problemsIn('stopping'));
  expect(found).toEqual({});
});

it('fits the list of nodes at every width, without a scroll in the smallest window', async () => {
  await window.show('scenario=fleet742');
  await showNodes();
  expect(await problemsIn('nodes')).toEqual({});
  await window.page.setViewportSize(sizes[0]);
  const { beyond, scrolled } = await window.page.getByRole('grid', { name: 'Nodes' }).evaluate((table) => ({
    beyond: table.getBoundingClientRect().right - table.ownerDocument.body.clientWidth,
    scrolled: table.scrollWidth - table.clientWidth,
  }));
  expect(beyond).toBeLessThanOrEqual(0);
  expect(scrolled).toBe(0);
});

it.each([
  ['the first start', 'idle=first', none],
  ['nodes without a run', 'idle=watching', none],
  ['an active run with a tester at its limit', 'scenario=limitedLive', none],
  ['a limit search', 'scenario=limitSearching', none],
  ['six-digit figures', 'scenario=wideLive', none],
  ['40 nodes', 'scenario=nodes40', none],
  ['a saved run', 'scenario=fail256', openSaved],
  ['a saved run whose tester was at its limit', 'scenario=limited', openSaved],
  ['a found limit', 'scenario=limitFound', openSaved],
  ['a damaged run with a long verdict', 'scenario=wideDone', openSaved],
  ['an imported run', 'scenario=imported', openSaved],
] as const)('fits %s at every width', async (name, query, act) => {
  await window.show(query);
  await act();
  expect(await problemsIn(name)).toEqual({});
});
