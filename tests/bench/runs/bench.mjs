import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { _electron } from 'playwright-core';
import { build } from 'vite';
import { launchCommand } from '../../../scripts/runtime.mjs';
import { heapMb, measureFrames, measureLongestTasks } from '../renderer/measure.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here('../../../out/runs-bench');
const width = 1440;
const height = 900;

/**
 * The real app with a run of 8 hours x 16 nodes x 40 series at 1 Hz, generated first by the run writer. Requires a
 * display. `FULLHOUSE_BENCH_RUNS`, a runs folder with such a run from an earlier time, skips the generation.
 * @param {{ log?: (line: string) => void }} [options]
 */
export async function runRunsBench({ log = () => undefined } = {}) {
  const folder = process.env.FULLHOUSE_BENCH_RUNS;
  const data = mkdtempSync(join(tmpdir(), 'fullhouse-runs-'));
  const runs = folder ?? join(data, 'runs');
  try {
    const made = folder ? undefined : await make(runs, log);
    const loadBefore = loadavg()[0];
    return { made, loadBefore, ...(await measure(data, runs, log)), loadAfter: loadavg()[0] };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function make(runs, log) {
  log('runs: writing a night of 16 nodes ...');
  mkdirSync(runs, { recursive: true });
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const { stdout } = await promisify(execFile)(process.execPath, [join(built, 'generate.js'), runs]);
  return JSON.parse(stdout);
}

async function measure(data, runs, log) {
  const { program, args } = launchCommand();
  const app = await _electron.launch({
    executablePath: program,
    args,
    env: { ...process.env, FULLHOUSE_DATA: data, FULLHOUSE_RUNS: runs },
  });
  try {
    const page = await app.firstWindow();
    await app.evaluate(
      ({ BrowserWindow }, size) => {
        BrowserWindow.getAllWindows()[0].setContentSize(size.width, size.height);
      },
      { width, height },
    );
    await page.getByTestId('runs-tab').click();
    await page.getByTestId('run-row').first().waitFor();
    const baseMb = await memoryMb(app);

    log('runs: opening the run ...');
    const openMs = await timeToCharts(page);
    await page.waitForTimeout(1500);
    const openedMb = await memoryMb(app);

    log('runs: zooming and panning ...');
    const frameMs = await measureFrames(page, () => zoomAndPan(page));
    const tasks = await measureLongestTasks(page, () => zoomAndPan(page));
    const zoomedMb = await memoryMb(app);
    const heap = await heapMb(page);

    log('runs: writing the report ...');
    const path = join(data, 'report.html');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, path);
    const startedMs = performance.now();
    await page.keyboard.press('Control+e');
    await until(() => isWhole(path));
    const htmlMs = performance.now() - startedMs;
    return {
      openMs,
      frameMs,
      tasks,
      memoryMb: { base: baseMb, opened: openedMb, zoomed: zoomedMb },
      heapMb: heap,
      htmlMs,
      htmlMb: statSync(path).size / 1e6,
      fileMb: statSync(join(runs, 'eight-hours.fullhouse')).size / 1e6,
    };
  } finally {
    await app.close();
  }
}

/** From the double-click on the run to complete charts, by the pixels of a canvas. */
async function timeToCharts(page) {
  const row = page.getByTestId('run-row').first();
  await page.evaluate(() => {
    const isDrawn = (canvas) => {
      const { width: across, height: down } = canvas;
      if (across < 100 || down < 50) return false;
      const { data } = canvas.getContext('2d').getImageData(0, 0, across, down);
      const colours = new Set();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] > 200) colours.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
      return colours.size > 20;
    };
    window.addEventListener(
      'dblclick',
      () => {
        const startedMs = performance.now();
        const look = () => {
          const canvases = [...document.querySelectorAll('canvas')].filter((each) => each.clientWidth > 200);
          if (canvases.length >= 10 && canvases.slice(0, 4).some(isDrawn))
            window.drawnAfterMs = performance.now() - startedMs;
          else setTimeout(look, 20);
        };
        look();
      },
      { once: true, capture: true },
    );
  });
  await row.dblclick();
  return until(() => page.evaluate(() => window.drawnAfterMs));
}

/** Drags ranges in the first chart, steps over the run by keys, and resets: a typical search for an event. */
async function zoomAndPan(page) {
  const box = await page.locator('canvas').nth(1).boundingBox();
  const at = (share) => box.x + 50 + share * (box.width - 70);
  const y = box.y + box.height / 2;
  for (let turn = 0; turn < 3; turn += 1) {
    for (const [from, to] of [
      [0.5, 0.75],
      [0.3, 0.6],
      [0.4, 0.5],
    ]) {
      await page.mouse.move(at(from), y);
      await page.mouse.down();
      for (let step = 1; step <= 10; step += 1) await page.mouse.move(at(from + ((to - from) * step) / 10), y);
      await page.mouse.up();
      await page.waitForTimeout(400);
    }
    for (let step = 0; step < 20; step += 1) {
      await page.mouse.move(at(0.1 + 0.04 * step), y);
      await page.waitForTimeout(30);
    }
    for (const key of ['-', '-', '-', '+', 'z']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(250);
    }
  }
}

/** Memory of the window's process, in MB: resident, and its private part (Linux). */
async function memoryMb(app) {
  const { pid, workingSetSize } = await app.evaluate(({ app: electron }) => {
    const [tab] = electron.getAppMetrics().filter((process) => process.type === 'Tab');
    return { pid: tab.pid, workingSetSize: tab.memory.workingSetSize };
  });
  const resident = workingSetSize / 1024;
  if (process.platform !== 'linux') return { resident };
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kib = [...rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)].map((match) => Number(match[1]));
  return { resident, private: kib.reduce((sum, each) => sum + each, 0) / 1024 };
}

/** A complete report ends with its closing tag. */
function isWhole(path) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < 100) return false;
  const file = openSync(path, 'r');
  try {
    const end = Buffer.alloc(20);
    readSync(file, end, 0, end.length, size - end.length);
    return end.toString('latin1').includes('</html>');
  } finally {
    closeSync(file);
  }
}

async function until(look, limitMs = 120_000) {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs;) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Timeout after ${limitMs / 1000} s.`);
}
