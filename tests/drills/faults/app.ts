import { constants } from 'node:os';
import { join } from 'node:path';
import { startApp, until, type StartedApp } from '../../e2e/app';
import type { Drill } from '../drill';
import { pause, settledMs, type Fault } from '../fault';
import { leftoversOf, portsNow } from '../leftovers';
import { viewers } from '../plans';
import { agentOf, signal } from '../processes';
import { recordedIn } from '../recorded';

interface AppInRun {
  readonly app: StartedApp;
  /** The exit code as a shell reports it. */
  readonly exited: Promise<number>;
}

/** Starts the app with the drill's folders. */
async function start(drill: Drill): Promise<AppInRun> {
  const app = await startApp({ folder: drill.folder, env: drill.env });
  const own = app.electron.process();
  drill.later(() => own.kill('SIGKILL'));
  const exited = new Promise<number>((resolve) =>
    own.once('exit', (code, name) => resolve(code ?? 128 + constants.signals[name ?? 'SIGKILL'])),
  );
  return { app, exited };
}

/** The app with all viewers of a run connected, started in its dialogs. */
async function startRun(drill: Drill): Promise<AppInRun> {
  const started = await start(drill);
  const { app } = started;
  await app.find('publishButton').click();
  await app.find('publishDialog').waitFor();
  await app.find('publishStart').click();
  await app.find('jobRow').first().waitFor();
  await app.find('pullButton').click();
  await app.find('pullDialog').waitFor();
  await app.find('pullViewers').fill(String(viewers));
  await app.find('pullHold').fill('120s');
  await app.find('pullStart').click();
  await until(`${viewers} viewers connected`, async () =>
    ((await app.find('viewersConnected').textContent()) ?? '').startsWith(String(viewers)),
  );
  await pause(settledMs);
  return started;
}

async function closed({ app, exited }: AppInRun): Promise<number> {
  await app.electron.evaluate(({ app: own }) => own.quit()).catch(() => undefined); // it ends meanwhile
  return exited;
}

/** The app's data, e.g. its settings and Chromium's caches, and the cookie of the system's sound service. */
const allowed = [/^data\//, /^home\/\.config\/pulse\//];

/** What a killed app leaves until its next start: the journal of the run, and temporary files. */
const untilNextStart = [/^runs\/[^/]+\.fullhouse-(wal|shm)$/, /^tmp\//];

/** Processes of the app that are killed. */
export const appFaults: readonly Fault[] = [
  {
    name: 'app killed',
    sentence: /(The console stopped .*)/,
    exit: 137,
    play: async (drill) => {
      const run = await startRun(drill);
      const ports = portsNow(drill);
      const killedMs = Date.now();
      run.app.electron.process().kill('SIGKILL');
      const exit = await run.exited;
      const left = await leftoversOf(drill, ports, { allowed: [...allowed, ...untilNextStart] });
      // The next start lists it.
      const again = await start(drill);
      await again.app.find('runsTab').click();
      await again.app.find('runRow').waitFor();
      await again.app.find('runRow').dblclick();
      await again.app.find('verdictSentence').first().waitFor();
      const shown = (await again.app.find('verdictSentence').first().textContent()) ?? '';
      await closed(again);
      return {
        ...{ shown, exit, killedMs },
        recorded: recordedIn({ folder: join(drill.folder, 'runs') }, 'local'),
        leftovers: [...new Set([...left, ...(await leftoversOf(drill, ports, { allowed }))])],
      };
    },
  },
  {
    name: 'engine of the app killed',
    sentence: /(The engine ended unexpectedly .*?)(?:Open the|$)/,
    exit: 0,
    play: async (drill) => {
      const run = await startRun(drill);
      const ports = portsNow(drill);
      const killedMs = Date.now();
      // The agents are child processes of the engine.
      signal([{ pid: agentOf(drill.mark, 'audience').parent }], 'SIGKILL');
      const notice = run.app.find('notice').filter({ hasText: 'The engine ended' });
      await notice.waitFor();
      const shown = (await notice.textContent()) ?? '';
      // A restarted engine lists the runs, which completes the file.
      await run.app.find('runsTab').click();
      await run.app.find('runRow').waitFor();
      const exit = await closed(run);
      return {
        ...{ shown, exit, killedMs },
        recorded: recordedIn({ folder: join(drill.folder, 'runs') }, 'local'),
        leftovers: await leftoversOf(drill, ports, { allowed }),
      };
    },
  },
];
