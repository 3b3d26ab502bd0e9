import { dirname, join, parse, relative, resolve } from 'node:path';
import type { RunView } from '../domain/run';
import type { Plan } from '../domain/plan/plan';
import type { Engine } from '../engine';
import { systemClock } from '../engine/clock';
import type { RunResult } from '../engine/report/runResult';
import type { Command } from './args';
import { commandEngine, tellUnknownKeys } from './commandEngine';
import type { Installation } from './installation';
import { offerMetrics } from './offerMetrics';
import { Progress } from './progress';
import { readPlan } from './readPlan';
import { resultText } from './resultText';
import { print, printJson, say } from './say';
import { onStopSignal } from './stopSignals';

export const exitCodes = { pass: 0, notPass: 1, notMade: 2 } as const;

/** Runs a plan from its file to the verdict; resolves with the exit code. Everything but the result goes to standard error. */
export async function runCommand(
  command: Extract<Command, { command: 'run' }>,
  installation: Installation,
): Promise<number> {
  const plan = await readPlan(command, say);
  if (!plan) return exitCodes.notMade;
  const out = resolve(command.out);
  const { acceptHostKeys } = command;
  const engine = commandEngine(installation, { runsFolder: out, acceptHostKeys });
  try {
    if (command.metrics) await offerMetrics(engine, command.metrics, say);
    const codes: number[] = [];
    for await (const ended of conductAll(engine, plan, command.allowHooks)) {
      tellUnknownKeys(ended.nodes);
      const runFile = engine.runFile(ended.id);
      const report = join(dirname(runFile), `${ended.id}.html`);
      const result = await finish(engine, ended, runFile, report, say);
      if (command.json) printJson(result);
      else print(`${resultText(ended.verdict, result, (path) => relative(process.cwd(), path))}\n`);
      codes.push(exitCode(ended));
      if (!(await writeForCi(engine, ended.id, command, codes.length, say))) codes.push(exitCodes.notMade);
    }
    await engine.shutdown();
    // Of several runs the worst is what a script has to know; none at all is none made.
    return codes.length > 0 ? Math.max(...codes) : exitCodes.notMade;
  } finally {
    await engine.shutdown(true);
  }
}

/** The plan's runs as they end: one, or as many as its schedule says. Ctrl-C ends the schedule too. */
async function* conductAll(engine: Engine, plan: Plan, allowHooks: boolean): AsyncGenerator<RunView> {
  const { client } = engine;
  if (!plan.schedule) {
    yield await conduct(engine, plan, () => client.call('runs.start', { plan, allowHooks }));
    return;
  }
  const { atMs } = plan.schedule;
  if (atMs !== undefined && atMs > systemClock.wall()) say(`Waiting until ${new Date(atMs).toISOString()}.`);
  const { id, runs } = await client.call('schedules.add', { plan, allowHooks });
  let before = '';
  for (let each = 0; each < runs; each += 1) {
    const isThere = (await client.call('schedules.list', {})).some((schedule) => schedule.id === id);
    // Taken back by Ctrl-C.
    if (!isThere) return;
    const ended = await conduct(engine, plan, () => Promise.resolve(), before);
    before = ended.id;
    yield ended;
  }
}

/** Resolves with the run when it has ended, one that began after `before`. Ctrl-C stops it, a second one by force. */
export async function conduct(
  engine: Engine,
  plan: Plan,
  begin: () => Promise<unknown> = () => engine.client.call('runs.start', { plan }),
  before?: string,
): Promise<RunView> {
  const { client } = engine;
  const progress = new Progress(process.stderr);
  let asked = 0;
  let hasBegun = false;
  const stop = (): void => {
    asked += 1;
    progress.clear();
    say(asked === 1 ? 'Stopping; once more forces it.' : 'Stopping by force.');
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
          hasBegun = true;
          if (run.state === 'ended') resolve(run);
          else progress.run(run);
        }),
      );
      subscriptions.push(
        client.on('schedules', () => {
          if (asked > 0 && !hasBegun) reject(new Error('Stopped before the run began.'));
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
  for (const { id } of await client.call('schedules.list', {}))
    await client.call('schedules.remove', { schedule: id });
}

/** What CI reads; the files of further runs of a schedule have a number. Answers whether all of it could be written. */
async function writeForCi(
  engine: Engine,
  run: string,
  command: Extract<Command, { command: 'run' }>,
  place: number,
  say: (line: string) => void,
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
      say((error as Error).message);
    }
  }
  return isWritten;
}

async function finish(
  engine: Engine,
  run: RunView,
  runFile: string,
  report: string,
  say: (line: string) => void,
): Promise<RunResult> {
  const written = await engine.client
    .call('runs.export', { run: run.id, kind: 'html', path: report })
    .then(({ path }) => path)
    .catch((error: Error) => {
      say(`The report could not be written: ${error.message}`);
      return null;
    });
  return engine.saved.call('result', { run: run.id, file: runFile, report: written });
}

/** A run that nobody ever arrived in, without a person's doing, could not be made. */
export function exitCode(run: RunView): number {
  const verdict = run.verdict?.verdict;
  if (verdict === 'pass') return exitCodes.pass;
  const nobodyCame = run.figures.connectedPeak === 0 && run.figures.failed === 0;
  return verdict === 'inconclusive' && nobodyCame ? exitCodes.notMade : exitCodes.notPass;
}
