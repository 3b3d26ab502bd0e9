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
const none = (): Promise<void> => Promise.resolve();

it('shows every column of the list of nodes in the smallest window', async () => {
  await window.show('scenario=fleet742');
  await window.find('nodesTab').click();
  await window.page.setViewportSize(sizes[0]);
  const beyond = await window.page
    .getByRole('grid', { name: 'Nodes' })
    .evaluate((table) => table.getBoundingClientRect().right - table.ownerDocument.body.clientWidth);
  expect(beyond).toBeLessThanOrEqual(0);
  const scrolled = await window.page
    .getByRole('grid', { name: 'Nodes' })
    .evaluate((table) => table.scrollWidth - table.clientWidth);
  expect(scrolled).toBe(0);
});

it.each([
  ['the first start', 'idle=first', none],
  ['nodes without a run', 'idle=watching', none],
  ['an active run', 'scenario=pull742', none],
  ['an active run with open failures', 'scenario=pull742', openFailures],
  ['a stopping run', 'scenario=pull742', () => window.find('stopAll').click()],
  ['an active run with a tester at its limit', 'scenario=limitedLive', none],
  ['a limit search', 'scenario=limitSearching', none],
  ['six-digit figures', 'scenario=wideLive', none],
  ['40 nodes', 'scenario=nodes40', none],
  ['a saved run', 'scenario=fail256', openSaved],
  ['a saved run whose tester was at its limit', 'scenario=limited', openSaved],
  ['a found limit', 'scenario=limitFound', openSaved],
  ['a damaged run with a long verdict', 'scenario=wideDone', openSaved],
  ['an imported run', 'scenario=imported', openSaved],
  ['the list of nodes', 'scenario=fleet742', () => window.find('nodesTab').click()],
  ['the list of runs', 'scenario=pull742', () => window.find('runsTab').click()],
] as const)('fits %s at every width', async (_, query, act) => {
  await window.show(query);
  await act();
  const found: Record<string, readonly string[]> = {};
  for (const size of sizes) {
    await window.page.setViewportSize(size);
    await window.page.waitForTimeout(150);
    const problems = await layoutProblems(window.page);
    if (problems.length > 0) found[size.width] = problems;
  }
  expect(found).toEqual({});
});
