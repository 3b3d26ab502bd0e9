import { dirname, join, relative, resolve } from 'node:path';
import type { RunView } from '../domain/model/run';
import type { Plan } from '../domain/model/plan';
import type { Engine } from '../engine';
import { FullhouseError } from '../contract/calls';
import { systemClock } from '../engine/base/clock';
import type { RunResult } from '../contract/runResult';
import type { Command } from './args';
import { BackgroundOutput } from './backgroundOutput';
import { commandEngine, reportUnknownKeys } from './commandEngine';
import { consentOptions, consentTo } from './consent';
import { exitCodeOf, exitCodes, worstCode } from './exitCodes';
import type { Installation } from './installation';
import type { StartedOtlp } from './otlp/startOtlp';
import { serveMetrics } from './serveMetrics';
import { Progress } from './progress';
import { readPlan } from './readPlan';
import { ResultFiles } from './resultFiles';
import { figureLines, verdictLines } from './resultLines';
import { print, printJson, printResult, printStatus, setStatusOutput } from './print';
import { onStopSignal, StoppedBySignal } from './stopSignals';

/** An output that takes nothing is not waited for longer. */
const drainedMs = 2000;

type RunCommand = Extract<Command, { command: 'run' }>;

/** What `fullhouse ci` adds to a run. */
export interface RunExtras {
  /** Folder of the runs with which ending runs are compared; default: the folder of runs. */
  readonly baselinesFolder?: string | undefined;
  /** Receives why no run could be started; default: standard error. */
  readonly say?: (sentence: string) => void;
  /** Called with each ended run, once its report is written. */
  readonly onEnded?: (engine: Engine, run: string, result: RunResult) => Promise<void>;
}

/**
 * Runs a plan from its file to the verdict; resolves with the exit code. Everything but the result goes to standard
 * error.
 */
export async function runCommand(
  command: RunCommand,
  installation: Installation,
  extras: RunExtras = {},
): Promise<number> {
  const files = new ResultFiles(command);
  const why: string[] = [];
  const say = (sentence: string): void => {
    why.push(sentence);
    (extras.say ?? printStatus)(sentence);
  };
  const codes: number[] = [];
  try {
    await runAll(command, installation, { ...extras, say, files, codes });
  } catch (error) {
    why.push((error as Error).message);
    throw error;
  } finally {
    if (codes.length === 0) files.withoutRun(why);
  }
  return worstCode(codes);
}

/** What one call of `fullhouse run` collects. */
interface Collected {
  readonly say: (sentence: string) => void;
  readonly files: ResultFiles;
  /** Of the runs so far; without a run it stays empty. */
  readonly codes: number[];
}

async function runAll(
  command: RunCommand,
  installation: Installation,
  { baselinesFolder, say, onEnded, files, codes }: RunExtras & Collected,
): Promise<void> {
  const plan = await readPlan(command, say);
  if (!plan) return;
  files.expect(plan.schedule?.repeat ?? 1);
  const out = resolve(command.out);
  const { acceptHostKeys } = command;
  const engine = commandEngine(installation, {
    ...{ runsFolder: out, acceptHostKeys, consent: consentOptions(command) },
    ...(baselinesFolder === undefined ? {} : { baselinesFolder }),
  });
  let otlp: StartedOtlp | undefined;
  try {
    const allowed = await consentTo(engine, plan, command, { say });
    if (!allowed) return;
    // Loaded only if needed: most runs have no receiver.
    if (command.otlp !== undefined) {
      const { startOtlp } = await import('./otlp/startOtlp');
      otlp = startOtlp(engine, command.otlp, installation.version, printStatus);
    }
    if (command.metrics) await serveMetrics(engine, command.metrics, printStatus);
    let place = 0;
    for await (const ended of conductAll(engine, plan, allowed)) {
      place += 1;
      codes.push(exitCodeOf(ended, command.inconclusiveIs));
      // Before all that may take a while, such as the report of a long run.
      if (!command.json) printResult(verdictLines(ended.verdict));
      reportUnknownKeys(ended.nodes);
      await otlp?.flush();
      const runFile = engine.runFile(ended.id);
      const report = join(dirname(runFile), `${ended.id}.html`);
      const result = await finish(engine, ended, runFile, report, printStatus);
      if (command.json) printJson(result);
      else print(...figureLines(ended.verdict, result, (path) => relative(process.cwd(), path)));
      // A run file without its verdict is one that could not be finished.
      const isSaved = result.report !== null && result.verdict === ended.verdict?.verdict;
      await onEnded?.(engine, ended.id, result);
      const isWritten = await files.write(engine, ended.id, place, printStatus);
      if (!isSaved || !isWritten) codes.push(exitCodes.notStarted);
    }
    await engine.shutdown();
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
    if (!isThere && before === '') throw new StoppedBySignal();
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
  // Windows writes in the background by itself.
  const output = process.platform === 'win32' ? undefined : new BackgroundOutput(process.stderr);
  setStatusOutput(output ?? process.stderr);
  const progress = new Progress(output ?? process.stderr);
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
        engine.saved.progress.on((read) => progress.reading(read)),
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
          if (asked > 0 && !hasStarted) reject(new StoppedBySignal());
        }),
      );
      begin().catch((error: Error) => {
        reject(error instanceof FullhouseError && error.code === 'stopped' ? new StoppedBySignal() : error);
      });
    });
  } finally {
    for (const end of subscriptions) end();
    endSignals();
    progress.clear();
    await output?.drained(drainedMs);
    setStatusOutput(process.stderr);
  }
}

async function endSchedules({ client }: Engine): Promise<void> {
  for (const { id } of await client.call('schedules.list', {})) await client.call('schedules.remove', { schedule: id });
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
