import { dirname, join, relative, resolve } from 'node:path';
import type { RunView } from '../../domain/model/run';
import type { Plan } from '../../domain/model/plan';
import type { Engine } from '../../engine';
import { isLoopbackHost } from '../../domain/text/loopback';
import { systemClock } from '../../engine/base/clock';
import type { RunResult } from '../../contract/runResult';
import { commandEngine, reportUnknownKeys } from '../commandEngine';
import { consentOptions, consentTo } from '../consent';
import { exitCodeOf, exitCodes, worstCode } from '../exitCodes';
import type { Installation } from '../installation';
import type { PlanChoices } from '../options';
import { readPlan } from '../readPlan';
import { print, printJson, printResult, printStatus } from '../print';
import { StoppedBySignal } from '../stopSignals';
import type { StartedOtlp } from './otlp/startOtlp';
import { ResultFiles } from './resultFiles';
import { figureLines, verdictLines } from './resultLines';
import { runToEnd } from './runToEnd';
import { variable } from '../../engine/base/variables';

/** A plan to run and what to do with its result. */
export interface RunInput extends PlanChoices {
  readonly plan: string;
  /** Folder of runs. */
  readonly out: string;
  readonly json: boolean;
  /** Where the metrics are exposed during the run; undefined: nowhere. */
  readonly metrics: { readonly port: number; readonly bind: string | undefined } | undefined;
  /** Where they are sent by OTLP; undefined: nowhere. */
  readonly otlp: string | undefined;
  /** Files for CI; undefined: none. */
  readonly junit: string | undefined;
  readonly markdown: string | undefined;
  /** Exit code of an inconclusive run. */
  readonly inconclusiveIs: number;
  /** The plan is the file of a preset. */
  readonly isPreset: boolean;
}

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
export async function runPlan(input: RunInput, installation: Installation, extras: RunExtras = {}): Promise<number> {
  const files = new ResultFiles(input);
  const why: string[] = [];
  const say = (sentence: string): void => {
    why.push(sentence);
    (extras.say ?? printStatus)(sentence);
  };
  const codes: number[] = [];
  try {
    await runAll(input, installation, { ...extras, say, files, codes });
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
  /** Exit codes of the runs so far; empty without a run. */
  readonly codes: number[];
}

async function runAll(
  input: RunInput,
  installation: Installation,
  { baselinesFolder, say, onEnded, files, codes }: RunExtras & Collected,
): Promise<void> {
  const plan = await readPlan(input, say);
  if (!plan) return;
  files.expect(plan.schedule?.repeat ?? 1);
  const out = resolve(input.out);
  const { acceptHostKeys } = input;
  const engine = commandEngine(installation, {
    ...{ runsFolder: out, acceptHostKeys, consent: consentOptions(input) },
    ...(baselinesFolder === undefined ? {} : { baselinesFolder }),
  });
  let otlp: StartedOtlp | undefined;
  try {
    const allowed = await consentTo(engine, plan, input, { say });
    if (!allowed) return;
    // Loaded only if needed: most runs have no receiver.
    if (input.otlp !== undefined) {
      const { startOtlp } = await import('./otlp/startOtlp');
      otlp = startOtlp(engine, input.otlp, installation.version, printStatus);
    }
    if (input.metrics) await serveMetrics(engine, input.metrics, printStatus);
    let place = 0;
    for await (const ended of conductAll(engine, plan, allowed)) {
      place += 1;
      codes.push(exitCodeOf(ended, input.inconclusiveIs));
      // Before all that may take a while, such as the report of a long run.
      if (!input.json) printResult(verdictLines(ended.verdict));
      reportUnknownKeys(ended.nodes);
      await otlp?.flush();
      const runFile = engine.runFile(ended.id);
      const report = join(dirname(runFile), `${ended.id}.html`);
      const result = await finish(engine, ended, runFile, report, printStatus);
      if (input.json) printJson(result);
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

/**
 * Exposes the run's metrics to Prometheus and prints the address. Rejects with a sentence when the port is not
 * available.
 */
async function serveMetrics(
  engine: Engine,
  { port, bind }: { readonly port: number; readonly bind: string | undefined },
  printStatus: (line: string) => void,
): Promise<void> {
  const token = variable('FULLHOUSE_METRICS_TOKEN');
  const state = await engine.client.call('metrics.start', { port, bind, token });
  const reach =
    bind === undefined || isLoopbackHost(bind) ? '' : ' (reachable from other machines, without encryption)';
  printStatus(`Metrics for Prometheus: ${state.address ?? ''}${reach}`);
  // Generated because none was given, so it has to be printed.
  if (state.token !== undefined && token === undefined)
    printStatus(`Required token (set FULLHOUSE_METRICS_TOKEN to choose one): ${state.token}`);
}
