import { describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Takes the pictures of README.md; no part of the test run: `FULLHOUSE_PICTURES=docs npx vitest run --project pictures`. */
const folder = process.env['FULLHOUSE_PICTURES'] ?? '';

describe('pictures of the README', () => {
  let window: WindowPage;

  windowTest.beforeAll(({ windowPage }) => {
    window = windowPage;
  });

  async function show(scenario: string): Promise<void> {
    await window.show(`scenario=${scenario}&theme=dark&player=playing`);
    await window.page.setViewportSize({ width: 1440, height: 900 });
  }
  async function showSaved(scenario: string): Promise<void> {
    await show(scenario);
    await window.find('runsTab').click();
    await window.find('runRow').first().dblclick();
    await window.find('verdict').first().waitFor();
  }
  async function picture(name: string): Promise<void> {
    await window.page.waitForTimeout(1500);
    await window.page.screenshot({ path: `${folder}/${name}.png` });
    expect(window.errors).toEqual([]);
  }

  it('shows an active run', async () => {
    await show('pull742');
    // Until the control player has its figures.
    await window.page.waitForTimeout(6000);
    await window.page.locator('[data-chart="gc"] .plot').hover();
    await picture('run-live');
    const withoutStalls = await window.page.getByText(/^0 (freezes|stalls)/).count();
    expect(withoutStalls, 'The player stalled, since this machine was busy: take the pictures again.').toBe(1);
  });

  it('shows the nodes of a fleet and the probe of an address', async () => {
    await show('fleet742');
    await window.page.keyboard.press('n');
    await window.find('addAddress').fill('qa@10.20.0.7');
    await window.find('addName').waitFor();
    await picture('nodes');
  });

  it('shows a tester-limited run', async () => {
    await showSaved('limited');
    await picture('tester-limited');
  });

  it('shows a completed limit search', async () => {
    await showSaved('limitFound');
    await picture('limit');
  });

  it('shows a capacity estimate', async () => {
    await showSaved('smallLoad');
    await window.find('estimateButton').click();
    await window.find('estimateRow').first().waitFor();
    await window.page.getByTestId('what-if-viewers').fill('1000');
    await picture('estimate');
  });
});
