import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveConfig } from 'electron-vite';
import { _electron } from 'playwright-core';
import { build } from 'vite';
import { launchCommand } from '../runtime.mjs';
import { ensureReady } from '../setup.mjs';
import { inRoot } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/problem.mjs';
import { stampFile } from '../setup/stamp.mjs';

/** Files saved together are one change. */
const settleMs = 300;
/** The app stops its run; after this time it is killed. */
const closeLimitMs = 5000;

/**
 * Builds and starts the app. When a source is saved, the window's page is reloaded or, for the other processes, the app
 * restarted. Its data are apart from those of an installed app. Calls `ended.end` when the user closes the app; returns
 * the function that ends it.
 */
export async function runApp(ended) {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    throw new SetupProblem(
      'No display found (DISPLAY is not set). Without one, npm run dev serves the window to a browser.',
    );
  await ensureReady(['electron', 'agent', 'viewerPage']);
  // What is built here is of no known state of the sources, so the next start has to build again.
  rmSync(stampFile('bundles'), { force: true });

  let app;
  let timer;
  let work = Promise.resolve();
  const changed = new Set();
  const watchers = await buildAndWatch((side) => {
    changed.add(side);
    clearTimeout(timer);
    // One after the other: a restart takes longer than the next change.
    timer = setTimeout(() => {
      work = work.then(apply).catch(report);
    }, settleMs);
  });
  const apply = async () => {
    const sides = [...changed];
    changed.clear();
    const isRestart = sides.some((side) => side !== 'renderer');
    console.log(`${sides.join(', ')} changed: ${isRestart ? 'the app is restarted' : 'the window is reloaded'}.`);
    // By the main process: the page may not navigate itself.
    if (!isRestart) return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
    await closeApp(app);
    app = await launchApp(ended);
  };
  app = await launchApp(ended);
  console.log('Saving a source of the window reloads its page, any other one restarts the app. Ctrl+C ends it.');
  return async () => {
    clearTimeout(timer);
    await Promise.all(watchers.map((watcher) => watcher.close()));
    await work;
    await closeApp(app);
  };
}

const report = (error) => console.error(error instanceof Error ? error.message : error);

/**
 * Builds the sides of the app as for a start, with source maps, and resolves once each could be built; `onBuilt` is called
 * with the side's name for each later build. Faults are printed by Vite.
 */
async function buildAndWatch(onBuilt) {
  const { config } = await resolveConfig({ root: inRoot(), logLevel: 'warn' }, 'build', 'production');
  return Promise.all(
    ['main', 'preload', 'renderer'].map(async (side) => {
      const { build: settings, ...others } = config[side];
      const watcher = await build({ ...others, build: { ...settings, sourcemap: true, watch: {} } });
      let isComplete = false;
      await new Promise((resolve) => {
        let hasFault = false;
        watcher.on('event', ({ code }) => {
          if (code === 'START') hasFault = false;
          if (code === 'ERROR') hasFault = true;
          if (code !== 'END' || hasFault) return;
          if (isComplete) onBuilt(side);
          isComplete = true;
          resolve();
        });
      });
      return watcher;
    }),
  );
}

async function launchApp(ended) {
  const { program, args } = launchCommand();
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const app = await _electron.launch({
    executablePath: program,
    args,
    env: { FULLHOUSE_DATA: inRoot('build', '.cache', 'dev-data'), ...env },
  });
  console.log(`The app runs as process ${app.process().pid}, its engine as ${await engineOf(app)}.`);
  app.process().stderr?.on('data', (text) => process.stderr.write(text));
  app.on('close', () => {
    if (!closedHere.has(app)) ended.end();
  });
  return app;
}

/** As `src/main/engineProcess.ts` names it. */
const engineName = 'Fullhouse engine';

/** The id of the engine's process, to attach a debugger to; it starts shortly after the app. */
async function engineOf(app) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const pid = await app.evaluate(
      ({ app: electron }, wanted) =>
        electron.getAppMetrics().find(({ name, serviceName }) => name === wanted || serviceName === wanted)?.pid,
      engineName,
    );
    if (pid !== undefined) return pid;
    await sleep(100);
  }
  return 'an unknown process';
}

/** Apps that this script has closed, not the user. */
const closedHere = new WeakSet();

async function closeApp(app) {
  closedHere.add(app);
  const timer = setTimeout(() => app.process().kill('SIGKILL'), closeLimitMs);
  await app.close().catch(report);
  clearTimeout(timer);
}
