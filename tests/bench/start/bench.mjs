import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchCommand } from '../../../scripts/runtime.mjs';
import { inRoot, root } from '../../../scripts/setup/paths.mjs';
import { SetupProblem } from '../../../scripts/setup/problem.mjs';
import { evict } from './evict.mjs';

const limitMs = 30_000;
/** By then the app has saved its compiled code (`compiledCode.ts`), after it is usable. */
const codeSavedMs = 11_000;

/** The app that `npm run package -- --dir` has made. */
export function packagedCommand() {
  const program = inRoot('dist', 'linux-unpacked', 'fullhouse');
  if (!existsSync(program))
    throw new SetupProblem('There is no packaged app. Make one: npm run package -- --dir --allow-fallback');
  return { program, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
}

/** An app with one empty window on the same runtime; `copy` is a folder for a copy of a runtime that runs only its own app. */
function emptyAppCommand(copy) {
  const { program, args, kind } = launchCommand();
  const emptyApp = inRoot('tests', 'bench', 'start', 'emptyApp');
  if (kind !== 'fallback') return { program, args: args.map((arg) => (arg === root ? emptyApp : arg)) };
  cpSync(dirname(program), copy, { recursive: true });
  cpSync(emptyApp, join(copy, 'resources', 'app'), { recursive: true });
  return { program: join(copy, basename(program)), args };
}

/** Median time until an empty window of Electron has loaded, in ms: what no app on this machine can be faster than. */
async function emptyWindowMs(starts) {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-empty-'));
  try {
    const command = emptyAppCommand(join(folder, 'runtime'));
    const times = [];
    for (let start = 0; start <= starts; start += 1) {
      const { usable } = await startOnce(command, folder);
      if (start > 0) times.push(usable);
    }
    return middle(times.sort((a, b) => a - b));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const middle = (values) => values[Math.floor(values.length / 2)];

/**
 * Time from the start of the app's process until the window is usable (it has drawn the engine's state).
 * One start warms the disk cache and is not counted. With `cold`, the files of the app are removed from the disk cache
 * before each of as many further starts. Requires a display.
 * @param {{ starts?: number, cold?: boolean, command?: { program: string, args: string[] }, log?: (line: string) => void }} [options]
 */
export async function runStartBench({
  starts = 5,
  cold = false,
  command = launchCommand(),
  log = () => undefined,
} = {}) {
  const data = mkdtempSync(join(tmpdir(), 'fullhouse-start-'));
  try {
    const all = [];
    for (let start = 0; start <= starts; start += 1) {
      log(start === 0 ? 'start: once to warm up ...' : `start: ${start} of ${starts} ...`);
      // The first one leaves compiled code, as the first start of an installed version does.
      const timings = await startOnce(command, data, start === 0 ? codeSavedMs : 0);
      if (start > 0) all.push(timings);
    }
    const coldMs = [];
    for (let start = 1; cold && start <= starts; start += 1) {
      log(`start: cold, ${start} of ${starts} ...`);
      await evict(dirname(command.program));
      coldMs.push((await startOnce(command, data)).usable);
    }
    coldMs.sort((a, b) => a - b);
    const of = (step) => all.map((timings) => timings[step]).sort((a, b) => a - b);
    return {
      starts,
      emptyWindowMs: await emptyWindowMs(starts),
      usableMs: { median: middle(of('usable')), worst: of('usable').at(-1) },
      windowShownMs: { median: middle(of('window-shown')) },
      loadedMs: { median: middle(of('loaded')) },
      electronReadyMs: { median: middle(of('electron-ready')) },
      appReadyMs: { median: middle(of('app-ready')) },
      pageLoadedMs: { median: middle(of('page-loaded')) },
      coldMs: { median: middle(coldMs), worst: coldMs.at(-1) },
    };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Starts the app, reads its timings and closes it `stayMs` after it is usable. */
async function startOnce({ program, args }, data, stayMs = 0) {
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
    if (timing === 'usable') setTimeout(() => app.kill('SIGINT'), stayMs);
  });
  await ended;
  clearTimeout(timer);
  if (timings.usable === undefined) throw new Error(`The window did not become usable within ${limitMs / 1000} s.`);
  return timings;
}
