import { dirname, join, parse, relative, resolve } from 'node:path';
import type { RunView } from '../domain/model/run';
import type { Plan } from '../domain/model/plan';
import type { Engine } from '../engine';
import { systemClock } from '../engine/base/clock';
import type { RunResult } from '../engine/report/runResult';
import type { Command } from './args';
import { commandEngine, reportUnknownKeys } from './commandEngine';
import { consentOptions, consentTo } from './consent';
import type { Installation } from './installation';
import type { StartedOtlp } from './otlp/startOtlp';
import { serveMetrics } from './serveMetrics';
import { Progress } from './progress';
import { readPlan } from './readPlan';
import { resultLines } from './resultLines';
import { print, printJson, printStatus } from './print';
import { onStopSignal } from './stopSignals';

export const exitCodes = { pass: 0, notPass: 1, notMade: 2 } as const;

/** What `fullhouse ci` adds to a run. */
export interface RunExtras {
  /** Folder of the runs with which ending runs are compared; default: the folder of runs. */
  readonly baselinesFolder?: string | undefined;
  /** Receives why a plan can't be read; default: standard error. */
  readonly say?: (sentence: string) => void;
  /** Called with each ended run, once its report is written. */
  readonly onEnded?: (engine: Engine, run: string, result: RunResult) => Promise<void>;
}

/**
 * Runs a plan from its file to the verdict; resolves with the exit code. Everything but the result goes to standard
 * error.
 */
export async function runCommand(
  command: Extract<Command, { command: 'run' }>,
  installation: Installation,
  { baselinesFolder, say = printStatus, onEnded }: RunExtras = {},
): Promise<number> {
  const plan = await readPlan(command, say);
  if (!plan) return exitCodes.notMade;
  const out = resolve(command.out);
  const { acceptHostKeys } = command;
  const engine = commandEngine(installation, {
    ...{ runsFolder: out, acceptHostKeys, consent: consentOptions(command) },
    ...(baselinesFolder === undefined ? {} : { baselinesFolder }),
  });
  let otlp: StartedOtlp | undefined;
  try {
    const allowed = await consentTo(engine, plan, command, { say });
    if (!allowed) return exitCodes.notMade;
    // Loaded only if needed: most runs have no receiver.
    if (command.otlp !== undefined) {
      const { startOtlp } = await import('./otlp/startOtlp');
      otlp = startOtlp(engine, command.otlp, installation.version, printStatus);
    }
    if (command.metrics) await serveMetrics(engine, command.metrics, printStatus);
    const codes: number[] = [];
    for await (const ended of conductAll(engine, plan, allowed)) {
      reportUnknownKeys(ended.nodes);
      await otlp?.flush();
      const runFile = engine.runFile(ended.id);
      const report = join(dirname(runFile), `${ended.id}.html`);
      const result = await finish(engine, ended, runFile, report, printStatus);
      if (command.json) printJson(result);
      else print(...resultLines(ended.verdict, result, (path) => relative(process.cwd(), path)));
      codes.push(exitCode(ended));
      await onEnded?.(engine, ended.id, result);
      if (!(await writeForCi(engine, ended.id, command, codes.length, printStatus))) codes.push(exitCodes.notMade);
    }
    await engine.shutdown();
    // Of several runs the worst exit code counts; without a run it is "not made".
    return codes.length > 0 ? Math.max(...codes) : exitCodes.notMade;
  } finally {
    otlp?.stop();
    await engine.shutdown(true);
  }
}

/** The plan's runs as they end: one, or as many as scheduled. Ctrl-C cancels the schedule too. */
async function* conductAll(
  engine: Engine,
  plan: Plan,
  allowed: { readonly allowHooks: boolean; readonly allowNodes: string[] },
): AsyncGenerator<RunView> {
  const { client } = engine;
  if (!plan.schedule) {
    yield await runToEnd(engine, plan, () => client.call('runs.start', { plan, ...allowed }));
    return;
  }
  const { atMs } = plan.schedule;
  if (atMs !== undefined && atMs > systemClock.wall()) printStatus(`Waiting until ${new Date(atMs).toISOString()}.`);
  const { id, runs } = await client.call('schedules.add', { plan, ...allowed });
  let before = '';
  for (let each = 0; each < runs; each += 1) {
    const isThere = (await client.call('schedules.list', {})).some((schedule) => schedule.id === id);
    // Cancelled by Ctrl-C.
    if (!isThere) return;
    const ended = await runToEnd(engine, plan, () => Promise.resolve(), before);
    before = ended.id;
    yield ended;
  }
}

/**
 * Resolves with the run when it has ended, one that started after `before`. Ctrl-C stops it, a second one forces it.
 */
export async function runToEnd(
  engine: Engine,
  plan: Plan,
  begin: () => Promise<unknown>,
  before?: string,
): Promise<RunView> {
  const { client } = engine;
  const progress = new Progress(process.stderr);
  let asked = 0;
  let hasStarted = false;
  const stop = (): void => {
    asked += 1;
    progress.clear();
    printStatus(asked === 1 ? 'Stopping; press Ctrl-C again to force it.' : 'Forced stop.');
    void client.call('runs.stopAll', { force: asked > 1 });
    void endSchedules(engine);
  };
  const endSignals = onStopSignal(stop);
  const subscriptions: Array<() => void> = [];
  try {
    return await new Promise<RunView>((resolve, reject) => {
      let startedMs = systemClock.now();
      subscriptions.push(
        client.on('samples', (batch) => progress.samples(batch, plan.pull.from)),
        client.on('event', (event) => progress.event(event, startedMs)),
        client.on('run', (run) => {
          if (!run || run.id === before) return;
          startedMs = run.startedMs;
          hasStarted = true;
          if (run.state === 'ended') resolve(run);
          else progress.run(run);
        }),
      );
      subscriptions.push(
        client.on('schedules', () => {
          if (asked > 0 && !hasStarted) reject(new Error('Stopped before the run started.'));
        }),
      );
      begin().catch(reject);
    });
  } finally {
    for (const end of subscriptions) end();
    endSignals();
    progress.clear();
  }
}

async function endSchedules({ client }: Engine): Promise<void> {
  for (const { id } of await client.call('schedules.list', {})) await client.call('schedules.remove', { schedule: id });
}

/** Output for CI; the files of further runs of a schedule have a number. Returns whether all could be written. */
async function writeForCi(
  engine: Engine,
  run: string,
  command: Extract<Command, { command: 'run' }>,
  place: number,
  printStatus: (line: string) => void,
): Promise<boolean> {
  let isWritten = true;
  for (const kind of ['junit', 'markdown'] as const) {
    const file = command[kind];
    if (file === undefined) continue;
    const { dir, name, ext } = parse(resolve(file));
    const path = place === 1 ? resolve(file) : join(dir, `${name}-${place}${ext}`);
    try {
      await engine.client.call('runs.export', { run, kind, path });
    } catch (error) {
      isWritten = false;
      printStatus((error as Error).message);
    }
  }
  return isWritten;
}

async function finish(
  engine: Engine,
  run: RunView,
  runFile: string,
  report: string,
  printStatus: (line: string) => void,
): Promise<RunResult> {
  const written = await engine.client
    .call('runs.export', { run: run.id, kind: 'html', path: report })
    .then(({ path }) => path)
    .catch((error: Error) => {
      printStatus(`The report could not be written: ${error.message}`);
      return null;
    });
  return engine.saved.call('result', { run: run.id, file: runFile, report: written });
}

/** A run without a single viewer that the user did not stop could not be started. */
export function exitCode(run: RunView): number {
  const verdict = run.verdict?.verdict;
  if (verdict === 'pass') return exitCodes.pass;
  const hasNoViewers = run.figures.connectedPeak === 0 && run.figures.failed === 0;
  return verdict === 'inconclusive' && hasNoViewers ? exitCodes.notMade : exitCodes.notPass;
}
