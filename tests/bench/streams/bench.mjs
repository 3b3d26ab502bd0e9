import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { heapMb, measureBusy, measureFrames, measureLongestTasks } from '../renderer/measure.mjs';
import { startRuntime } from '../renderer/window.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const width = 1440;
const height = 900;
const rows = 5000;

/** Builds the page with only the streams. */
export async function buildStreamsPage() {
  await build({ configFile: here('./vite.page.config.mts'), logLevel: 'warn' });
}

export const streamsPage = here('../../../out/streams-page/index.html');

/** Scrolls from the first row to the last and back, a little in every frame. Counts frames with a blank visible row. */
function scrollThroughAll(page, seconds) {
  return page.evaluate(
    (durationMs) =>
      new Promise((resolve) => {
        const list = document.querySelector('[data-testid="stream-rows"]');
        const startedMs = performance.now();
        let frames = 0;
        let blank = 0;
        const step = () => {
          const share = (performance.now() - startedMs) / durationMs;
          if (share >= 1) return resolve({ frames, framesWithBlankRows: blank });
          list.scrollTop = (1 - Math.abs(1 - 2 * share)) * (list.scrollHeight - list.clientHeight);
          const { top, bottom } = list.getBoundingClientRect();
          frames += 1;
          // Rows of the last frame: those of this step are drawn after it.
          const isBlank = [...list.querySelectorAll('[data-testid="stream-row"]:not([data-stream])')].some((row) => {
            const box = row.getBoundingClientRect();
            return box.bottom > top && box.top < bottom;
          });
          if (isBlank) blank += 1;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    seconds * 1000,
  );
}

/** Presses PageDown as fast as a held key repeats. */
async function pageThrough(page, presses) {
  await page.getByTestId('stream-rows').focus();
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(33);
  }
}

/**
 * Measures the list of streams in the Electron runtime: 5,000 rows whose figures and order all change every second,
 * behind the real contract; the engine's sorting runs in a separate thread.
 * @param {{ seconds?: number, log?: (line: string) => void }} [options]
 */
export async function runStreamsBench({ seconds = 10, log = () => undefined } = {}) {
  await buildStreamsPage();
  const runtime = await startRuntime(streamsPage);
  try {
    log(`streams: ${rows} rows, all changing every second ...`);
    const page = await runtime.open(`?count=${rows}`, width, height);
    await page.locator('[data-stream]').first().waitFor();
    const rest = () => page.waitForTimeout(seconds * 1000);
    const idle = await measureBusy(page, rest);
    const idleLongest = await measureLongestTasks(page, () => page.waitForTimeout(4000));
    log('scrolling through all ...');
    let blanks;
    const frames = await measureFrames(page, async () => {
      blanks = await scrollThroughAll(page, seconds);
    });
    const scrolling = await measureBusy(page, () => scrollThroughAll(page, seconds));
    const scrollLongest = await measureLongestTasks(page, () => scrollThroughAll(page, 4));
    log('paging by keys ...');
    const paging = await measureFrames(page, () => pageThrough(page, 60));
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    const result = {
      rows,
      elements,
      heapMb: await heapMb(page),
      idle: { ...idle, longestTask: idleLongest },
      scroll: { ...scrolling, ...blanks, longestTask: scrollLongest, frameMs: frames },
      paging: { frameMs: paging },
    };
    await page.close();
    return result;
  } finally {
    await runtime.close();
  }
}
