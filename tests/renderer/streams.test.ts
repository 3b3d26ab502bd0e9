import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildStreamsPage, streamsPage } from '../bench/streams/bench.mjs';
import { startRuntime } from '../bench/renderer/window.mjs';
import { until } from '../e2e/app';

/** The streams of one node in the real runtime: 5,000 streams whose figures and order change every second. */
let runtime: Awaited<ReturnType<typeof startRuntime>>;
let page: Page;

beforeAll(async () => {
  await buildStreamsPage();
  runtime = await startRuntime(streamsPage);
});
afterAll(() => runtime.close());
beforeEach(async () => {
  await page?.close();
});

async function show(query: string): Promise<void> {
  page = await runtime.open(`?${query}`, 1280, 600);
}
const rows = (): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-stream]')]
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => row.dataset['stream'] ?? ''),
  );
const chosen = (): Promise<string | null> =>
  page.locator('[data-testid=stream-row][aria-selected=true]').getAttribute('data-stream');
const done = (): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { streams: { done: string[] } }).streams.done);
const count = (): Promise<string> => page.getByTestId('stream-count').innerText();

describe('5,000 streams', () => {
  beforeEach(async () => {
    await show('count=5000');
    await until('the first rows', async () => (await rows()).length > 0);
  });

  it('render only rows in and near the viewport', async () => {
    expect(await count()).toBe('5,000 of 5,000');
    expect((await rows()).length).toBeLessThan(40);
  });

  it('are sorted by a click on the header, and reversed by another', async () => {
    await page.getByTestId('stream-sort-stream').click();
    await until('the first by name', async () => (await rows())[0] === 'cam-0000');
    await page.getByTestId('stream-sort-stream').click();
    await until('the last by name', async () => (await rows())[0] === 'cam-4999');
  });

  it('are navigated by keys to the last one and back', async () => {
    await page.getByTestId('stream-sort-stream').click();
    await until('the first by name', async () => (await rows())[0] === 'cam-0000');
    await page.getByTestId('stream-rows').focus();
    await page.keyboard.press('End');
    await until('the last row', async () => (await rows()).includes('cam-4999'));
    expect(await chosen()).toBe('cam-4999');
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toBe('cam-4998');
    await page.keyboard.press('Home');
    await until('the first row', async () => (await rows()).includes('cam-0000'));
    expect(await chosen()).toBe('cam-0000');
  });

  it('keep the scroll position and the selected stream while their order changes', async () => {
    const list = page.getByTestId('stream-rows');
    await list.evaluate((element) => (element.scrollTop = 4000));
    await until('rows further down', async () => (await rows()).length > 0);
    const before = await rows();
    await page.locator('[data-stream]').nth(12).click();
    const stream = await chosen();
    await until('another order', async () => (await rows()).join() !== before.join());
    expect(await list.evaluate((element) => element.scrollTop)).toBe(4000);
    const now = page.locator('[data-testid=stream-row][aria-selected=true]');
    if ((await now.count()) > 0) expect(await now.getAttribute('data-stream')).toBe(stream);
  });

  it('are filtered during input, and terminated by the filter after confirmation', async () => {
    await page.getByTestId('stream-filter').fill('cam-012');
    await until('those that match', async () => (await count()) === '10 of 5,000');
    await page.getByRole('button', { name: 'Terminate 10 matching' }).click();
    await page.getByTestId('terminate-confirm').click();
    await until('the others', async () => (await count()) === '0 of 4,990');
    expect(await page.getByText('None of the 4,990 streams matches “cam-012”.').isVisible()).toBe(true);
  });
});

describe('the selected stream', () => {
  it('is played, pulled and terminated by keys', async () => {
    await show('count=0');
    await page.locator('[data-stream=studio-a]').click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('p');
    expect(await done()).toEqual(['play studio-a', 'pull studio-a']);
    await page.keyboard.press('Delete');
    expect(await page.getByTestId('terminate-dialog').innerText()).toContain('its publisher and 3 viewers');
    await page.getByTestId('terminate-confirm').click();
    await until('five left', async () => (await count()) === '5 of 5');
    expect(await rows()).not.toContain('studio-a');
  });
});

describe('a server that lists no streams', () => {
  it('accepts a typed name, and reports an invalid one', async () => {
    await show('count=0&node=edge');
    const field = page.getByTestId('stream-name');
    await field.fill('/bad name');
    expect(await page.getByText('A stream name can\'t start with "/".').isVisible()).toBe(true);
    await field.fill('cam');
    await field.press('Enter');
    await page.getByTestId('stream-pull').click();
    expect(await done()).toEqual(['play cam', 'pull cam']);
  });
});

describe('iperf3 between two nodes', () => {
  it('shows progress, the result, and the number of viewers that it supports', async () => {
    await show('count=0&capacity');
    await page.getByTestId('capacity-measure').click();
    await until('progress', () => page.getByTestId('capacity-cancel').isVisible());
    await until('the room', () => page.getByText('Capacity: 24,768 viewers at 380 kbit/s').isVisible());
    await page.getByTestId('capacity-bitrate').fill('1,000');
    expect(await page.getByTestId('capacity-headroom').innerText()).toBe('Capacity: 9,412 viewers at 1,000 kbit/s');
  });

  it('shows the reason for a missing result in one sentence', async () => {
    await show('count=0&capacity');
    await page.getByTestId('capacity-to').selectOption('local');
    await page.getByTestId('capacity-measure').click();
    await until('the reason', () =>
      page.getByTestId('capacity-result').getByText('could not reach port 5201 of local; is it open?').isVisible(),
    );
    await page.getByTestId('capacity-to').selectOption('atom-c2550');
    expect(await page.getByText('Choose two different nodes').isVisible()).toBe(true);
  });
});
