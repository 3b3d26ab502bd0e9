import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { heapMb, measureBusy, measureLongestTasks } from '../renderer/measure.mjs';
import { startRuntime } from '../renderer/window.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const previewPage = here('../../../out/preview/index.html');
const size = { width: 1920, height: 1080 };

/** What the window shows of the fleet, by the name of its button. */
const views = ['Charts', 'Nodes', 'Streams'];

/** Elements of tiles that change in a second, per tile. */
function changesPerTile(page, seconds) {
  return page.evaluate(
    (durationMs) =>
      new Promise((resolve) => {
        const wall = document.querySelector('[data-testid="node-wall"]');
        let changes = 0;
        const observer = new MutationObserver((records) => (changes += records.length));
        observer.observe(wall, { subtree: true, childList: true, characterData: true, attributes: true });
        setTimeout(() => {
          observer.disconnect();
          resolve(changes / (durationMs / 1000) / wall.querySelectorAll('[data-tile]').length);
        }, durationMs);
      }),
    seconds * 1000,
  );
}

/**
 * Measures the window without a run, watching a stand-in fleet whose samples arrive once a second: charts, the wall of
 * nodes, the streams of all servers, and wall mode. The stand-in engine runs in
 * the same thread: its samples are part of the figures.
 * @param {{ seconds?: number, log?: (line: string) => void }} [options]
 */
export async function runWatchBench({ seconds = 10, log = () => undefined } = {}) {
  await build({ configFile: here('../../renderer/preview/vite.config.mts'), logLevel: 'warn' });
  const runtime = await startRuntime(previewPage);
  try {
    const results = [];
    for (const nodes of [20, 100]) {
      log(`watching ${nodes} nodes ...`);
      const page = await runtime.open(`?watch=${nodes}&minutes=10`, size.width, size.height);
      await page.locator('[data-chart]').first().waitFor();
      const busy = {};
      const rest = () => page.waitForTimeout(seconds * 1000);
      let perTile = 0;
      let longestMs = 0;
      for (const view of views) {
        await page.getByTestId('watch-views').getByRole('button', { name: view }).click();
        await page.waitForTimeout(3000);
        busy[view] = (await measureBusy(page, rest)).busyPercent;
        if (view !== 'Nodes') continue;
        perTile = await changesPerTile(page, 5);
        longestMs = (await measureLongestTasks(page, () => page.waitForTimeout(4000))).ofProcessorMs;
      }
      await page.keyboard.press('F9');
      await page.getByTestId('wall-mode').waitFor();
      await page.waitForTimeout(2000);
      busy['Wall mode'] = (await measureBusy(page, rest)).busyPercent;
      results.push({ nodes, busy, perTile, longestMs, heapMb: await heapMb(page) });
      await page.close();
    }
    return results;
  } finally {
    await runtime.close();
  }
}
