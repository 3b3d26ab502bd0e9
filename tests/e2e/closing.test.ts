import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchCommand } from '../../scripts/runtime.mjs';
import { openRunLibrary } from '../../src/engine/store';
import { startApp, until, type StartedApp } from './app';

let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fullhouse-e2e-'));
});
afterEach(() => void child?.kill('SIGKILL'));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Asked {
  readonly message: string;
  readonly detail: string;
  readonly buttons: string[];
}

/** The app during a run of 10 viewers with this `hold`. */
async function appInRun(hold: string): Promise<{ app: StartedApp; gone: Promise<number | string | null> }> {
  const started = await startApp({ folder: await mkdtemp(join(folder, 'app-')) });
  const own = started.electron.process();
  child = own;
  // A crash has a signal instead of a code.
  const gone = new Promise<number | string | null>((resolve) =>
    own.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  await started.find('publishButton').click();
  await started.find('publishDialog').waitFor();
  await started.find('publishStart').click();
  await started.find('jobRow').first().waitFor();
  await started.find('pullButton').click();
  await started.find('pullDialog').waitFor();
  await started.find('pullViewers').fill('10');
  await started.find('pullHold').fill(hold);
  await started.find('pullStart').click();
  await until('10 viewers connected', async () =>
    ((await started.find('viewersConnected').textContent()) ?? '').startsWith('10'),
  );
  return { app: started, gone };
}

/** Clicks this button in the app's next message boxes, and records their text. */
const answerWith = ({ electron }: StartedApp, button: string): Promise<void> =>
  electron.evaluate(({ dialog }, label) => {
    const asked: unknown[] = [];
    (globalThis as { asked?: unknown[] }).asked = asked;
    dialog.showMessageBox = ((_window: unknown, options: { buttons: string[] }) => {
      asked.push(options);
      const response = options.buttons.indexOf(label);
      if (response < 0) throw new Error(`Button ${label} not found.`);
      return Promise.resolve({ response, checkboxChecked: false });
    }) as never;
  }, button);
const questions = ({ electron }: StartedApp): Promise<Asked[]> =>
  electron.evaluate(() => (globalThis as { asked?: unknown[] }).asked as never);
const closeWindow = ({ electron }: StartedApp): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const isVisible = ({ electron }: StartedApp): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);
/** Standard output and standard error of the engine. */
const enginePipes = 2;
/** Pipes of the app now, and what it prints of them when it quits: an open one could crash it then. */
async function pipesAtQuit({ electron }: StartedApp): Promise<{ readonly pipes: number; readonly text: string }> {
  const output = { pipes: 0, text: '' };
  electron.process().stderr?.on('data', (chunk: Buffer) => (output.text += String(chunk)));
  output.pipes = await electron.evaluate(({ app }) => {
    const count = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    app.once('quit', () => console.error(`pipes at quit: ${count()}`));
    return count();
  });
  return output;
}
const runs = ({ runsFolder }: StartedApp) => openRunLibrary(runsFolder).list();

it('closing the window during a run asks for confirmation: Cancel changes nothing; Stop and close disconnects all viewers and saves the run as stopped', async () => {
  const { app: opened, gone } = await appInRun('60s');
  await answerWith(opened, 'Cancel');
  await closeWindow(opened);
  const [asked, more] = await until('the question', async () => {
    const found = await questions(opened);
    return found.length > 0 && found;
  });
  expect(more).toBeUndefined();
  expect(asked?.buttons).toEqual(['Keep running in the background', 'Stop and close', 'Cancel']);
  expect(asked?.message).toMatch(/^"Pull 10.*" is running$/);
  expect(asked?.detail).toContain('10 viewers connected.');
  expect(await isVisible(opened)).toBe(true);
  expect(await opened.find('viewersConnected').textContent()).toMatch(/^10/);
  expect(runs(opened)).toMatchObject([{ verdict: 'running' }]);

  await answerWith(opened, 'Stop and close');
  await closeWindow(opened);
  expect(await gone).toBe(0);
  expect(runs(opened)).toMatchObject([{ verdict: 'stopped', connectedPeak: 10 }]);
});

it('in the background the run ends as planned, its file is complete, and the app exits', async () => {
  const { app: opened, gone } = await appInRun('6s');
  await answerWith(opened, 'Keep running in the background');
  await closeWindow(opened);
  await until('a hidden window', async () => !(await isVisible(opened)));
  expect(await gone).toBe(0);
  const library = openRunLibrary(opened.runsFolder);
  const [run] = library.list();
  expect(run).toMatchObject({ connectedPeak: 10 });
  expect(run?.verdict).toMatch(/^(pass|inconclusive)$/);
  const reader = library.open(run?.id ?? '');
  try {
    const { phases, endedMs = 0 } = reader.view();
    const hold = phases.find(({ name }) => name === 'hold');
    const drain = phases.find(({ name }) => name === 'drain');
    // The plan's complete hold, not just the remainder after the window closed.
    expect((drain?.startMs ?? 0) - (hold?.startMs ?? 0)).toBeGreaterThan(5000);
    expect(endedMs).toBeGreaterThan(drain?.startMs ?? Number.POSITIVE_INFINITY);
  } finally {
    reader.close();
  }
});

it('starting the app again shows the hidden window, and the app stays after the run', async () => {
  const { app: opened, gone } = await appInRun('8s');
  await answerWith(opened, 'Keep running in the background');
  await closeWindow(opened);
  await until('a hidden window', async () => !(await isVisible(opened)));
  const { program, args } = launchCommand();
  const env = {
    ...process.env,
    FULLHOUSE_DATA: join(opened.folder, 'data'),
    FULLHOUSE_RUNS: opened.runsFolder,
  };
  const second = spawn(program, args, { env, stdio: 'ignore' });
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
  await until('the window', () => isVisible(opened));
  await opened.find('verdict').first().waitFor({ timeout: 60_000 });
  expect(await isVisible(opened)).toBe(true);
  expect(child?.exitCode).toBeNull();
  // No active run: the window closes without confirmation, and the app exits, having read all that its engine wrote.
  const output = await pipesAtQuit(opened);
  await closeWindow(opened);
  expect(await gone).toBe(0);
  expect(output.text).toContain(`pipes at quit: ${output.pipes - enginePipes}`);
  expect(runs(opened)).toHaveLength(1);
});

it('Quit in the menu asks for confirmation too', async () => {
  const { app: opened, gone } = await appInRun('60s');
  await answerWith(opened, 'Stop and quit');
  await opened.electron.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('quit')?.click();
  });
  expect(await gone).toBe(0);
  expect(runs(opened)).toMatchObject([{ verdict: 'stopped' }]);
});
