import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import { startApp, until, type StartedApp } from './app';

let app: StartedApp;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fullhouse-e2e-'));
  app = await startApp({ folder });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.runIf(process.platform !== 'win32')('closing the terminal stops the run of the app gracefully', async () => {
  await app.find('startLabPull').click();
  await until('100 viewers connected', async () =>
    ((await app.page.getByTestId('viewers-connected').textContent()) ?? '').startsWith('100'),
  );
  const { pid = 0 } = app.electron.process();
  const closed = new Promise((resolve) =>
    app.electron.process().once('exit', (code, signal) => resolve({ code, signal })),
  );
  // `npm start` forwards it to the app only.
  process.kill(pid, 'SIGHUP');
  expect(await closed).toEqual({ code: 0, signal: null });
  expect(openRunLibrary(app.runsFolder).list()).toMatchObject([{ verdict: 'stopped', connectedPeak: 100 }]);
});
