import { heapMb, measureBusy, measureFrames, measureLongestTask, measureLongestTasks } from './measure.mjs';
import { buildPage, startRuntime } from './window.mjs';

const width = 1440;
const height = 900;
const query = '?scenario=hour16&charts=12&feed';

const rounded = (value) =>
  typeof value === 'number'
    ? Math.round(value * 10) / 10
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));

/** Moves the pointer over the charts, as often as the machine allows, max 60 times a second. */
async function moveCrosshair(page, seconds) {
  const startedAt = Date.now();
  for (let step = 0; Date.now() - startedAt < seconds * 1000; step += 1) {
    const share = (step % 240) / 240;
    await page.mouse.move(60 + share * 1300, 120 + (Math.floor(step / 240) % 3) * 280);
    await page.waitForTimeout(Math.max(0, startedAt + step * 16.7 - Date.now()));
  }
}

/** Drags a range and resets, repeatedly: every chart is redrawn each time. */
async function zoomDrags(page, seconds) {
  const startedAt = Date.now();
  while (Date.now() - startedAt < seconds * 1000) {
    await page.mouse.move(80, 130);
    await page.mouse.down();
    for (let x = 80; x <= 180; x += 10) await page.mouse.move(x, 130);
    await page.mouse.up();
    await page.waitForTimeout(250);
    await page.mouse.dblclick(120, 130);
    await page.waitForTimeout(250);
  }
}

async function measureIdle(runtime, page, seconds) {
  const rest = () => page.waitForTimeout(seconds * 1000);
  const busy = await measureBusy(page, rest);
  const longestTaskMs = await measureLongestTask(page, () => page.waitForTimeout(Math.min(10, seconds) * 1000));
  return {
    ...busy,
    longestTaskMs,
    heapMb: await heapMb(page),
    workingSetMb: await runtime.rendererMemoryMb(),
  };
}

/**
 * Measures the charts in the Electron runtime: 16 nodes, 12 charts, an hour in view, 1 Hz; and unmodified chart.js on
 * the same data in the same session, since absolute figures depend on the machine.
 * @param {{ seconds?: number, log?: (line: string) => void }} [options]
 */
export async function runRendererBench({ seconds = 30, log = () => undefined } = {}) {
  await buildPage();
  const runtime = await startRuntime();
  try {
    log('charts: 16 nodes, 12 charts, one hour in view, 1 Hz ...');
    const ours = await runtime.open(query, width, height);
    await ours.waitForTimeout(4000);
    const live = await measureIdle(runtime, ours, seconds);
    const arraysMb = await ours.evaluate(() => window.charts.store.bytes / 1e6);
    log('crosshair and zoom ...');
    const crosshair = await measureFrames(ours, () => moveCrosshair(ours, 4));
    const crosshairBusy = await measureBusy(ours, () => moveCrosshair(ours, 4));
    const zoom = await measureFrames(ours, () => zoomDrags(ours, 4));
    const zoomLongestTaskMs = await measureLongestTask(ours, () => zoomDrags(ours, 3));
    await ours.close();
    log('charts: 24 of 40 series each, one hour in view, 1 Hz ...');
    const many = await runtime.open('?scenario=wide24&feed', width, height);
    await many.waitForTimeout(6000);
    const wide = await measureIdle(runtime, many, seconds);
    const wideOfProcessorMs = (await measureLongestTasks(many, () => many.waitForTimeout(8000))).ofProcessorMs;
    await many.close();
    log('unmodified chart.js on the same data ...');
    const plain = await runtime.open(`${query}&drawn=naive`, width, height);
    await plain.waitForTimeout(6000);
    const naive = await measureIdle(runtime, plain, seconds);
    await plain.close();
    return rounded({
      live: { ...live, sampleArraysMb: arraysMb },
      crosshair: {
        ...crosshair,
        busyPercent: crosshairBusy.busyPercent,
        tasksOver50Ms: crosshairBusy.tasksOver50Ms,
      },
      zoom: { ...zoom, longestTaskMs: zoomLongestTaskMs },
      wide: { ...wide, longestTaskOfProcessorMs: wideOfProcessorMs },
      naive,
      timesLess: {
        busy: naive.busyPercent / live.busyPercent,
        longestTask: naive.longestTaskMs / live.longestTaskMs,
        heap: naive.heapMb / live.heapMb,
      },
    });
  } finally {
    await runtime.close();
  }
}
