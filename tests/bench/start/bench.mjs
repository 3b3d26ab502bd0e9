import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchCommand } from '../../../scripts/runtime.mjs';

const limitMs = 30_000;

/**
 * Time from the start of the app's process until the window is usable (it has drawn the engine's state).
 * One start warms the disk cache and is not counted. Requires a display.
 * @param {{ starts?: number, log?: (line: string) => void }} [options]
 */
export async function runStartBench({ starts = 5, log = () => undefined } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'fullhouse-start-'));
  try {
    const all = [];
    for (let start = 0; start <= starts; start += 1) {
      log(start === 0 ? 'start: once to warm up ...' : `start: ${start} of ${starts} ...`);
      const timings = await startOnce(data);
      if (start > 0) all.push(timings);
    }
    const of = (step) => all.map((timings) => timings[step]).sort((a, b) => a - b);
    const middle = (values) => values[Math.floor(values.length / 2)];
    return {
      starts,
      usableMs: { median: middle(of('usable')), worst: of('usable').at(-1) },
      windowShownMs: { median: middle(of('window-shown')) },
      appReadyMs: { median: middle(of('app-ready')) },
    };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Starts the app, reads its timings and closes it. */
async function startOnce(data) {
  const { program, args } = launchCommand();
  const app = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, FULLHOUSE_TIMINGS: '1', FULLHOUSE_DATA: data },
  });
  const timings = {};
  const ended = new Promise((resolve) => app.once('close', resolve));
  const timer = setTimeout(() => app.kill('SIGKILL'), limitMs);
  createInterface({ input: app.stdout }).on('line', (line) => {
    if (!line.startsWith('{"timing"')) return;
    const { timing, ms } = JSON.parse(line);
    timings[timing] = ms;
    if (timing === 'usable') app.kill('SIGINT');
  });
  await ended;
  clearTimeout(timer);
  if (timings.usable === undefined) throw new Error(`The window did not become usable within ${limitMs / 1000} s.`);
  return timings;
}
