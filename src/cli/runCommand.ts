import { join, relative, resolve } from 'node:path';
import type { RunView } from '../domain/run';
import type { Plan } from '../domain/plan';
import { createEngine, type Engine } from '../engine';
import { openRunLibrary } from '../engine/store';
import type { Command } from './args';
import { engineOptions, type Installation } from './installation';
import { Progress } from './progress';
import { readPlan } from './readPlan';
import { resultOf, type RunResult } from './result';
import { resultText } from './resultText';

export const exitCodes = { pass: 0, notPass: 1, notMade: 2 } as const;

/** Runs a plan from its file to the verdict; resolves with the exit code. Everything but the result goes to standard error. */
export async function runCommand(
  command: Extract<Command, { command: 'run' }>,
  installation: Installation,
): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const plan = readPlan(command, say);
  if (!plan) return exitCodes.notMade;
  const out = resolve(command.out);
  const engine = createEngine({
    ...engineOptions(installation, command.acceptHostKeys),
    runsFolder: out,
    log: say,
  });
  try {
    const ended = await conduct(engine, plan);
    for (const { hostKey } of ended.nodes)
      if (hostKey?.state === 'unknown')
        say(
          `To trust the key of ${hostKey.host}, compare its fingerprint and add: --accept-host-key ${hostKey.fingerprint}`,
        );
    await engine.shutdown();
    const runFile = join(out, `${ended.id}.fullhouse`);
    const report = join(out, `${ended.id}.html`);
    const result = await finish(engine, ended, runFile, report, say);
    if (command.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else
      process.stdout.write(`${resultText(ended.verdict, result, (path) => relative(process.cwd(), path))}\n`);
    return exitCode(ended);
  } finally {
    await engine.shutdown(true);
  }
}

/** Resolves with the run when it has ended. Ctrl-C stops it, a second one by force. */
export async function conduct(engine: Engine, plan: Plan): Promise<RunView> {
  const { client } = engine;
  const progress = new Progress(process.stderr);
  let asked = 0;
  const stop = (): void => {
    asked += 1;
    progress.clear();
    process.stderr.write(asked === 1 ? 'Stopping; once more forces it.\n' : 'Stopping by force.\n');
    void client.call('runs.stopAll', { force: asked > 1 });
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  const subscriptions: Array<() => void> = [];
  try {
    return await new Promise<RunView>((resolve, reject) => {
      let startedMs = Date.now();
      subscriptions.push(
        client.on('samples', (batch) => progress.samples(batch, plan.pull.from)),
        client.on('event', (event) => progress.event(event, startedMs)),
        client.on('run', (run) => {
          if (!run) return;
          startedMs = run.startedMs;
          if (run.state === 'ended') resolve(run);
          else progress.run(run);
        }),
      );
      client.call('runs.start', { plan }).catch(reject);
    });
  } finally {
    for (const end of subscriptions) end();
    for (const signal of signals) process.off(signal, stop);
    progress.clear();
  }
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
  const reader = openRunLibrary(join(runFile, '..')).open(run.id);
  try {
    return resultOf(reader, runFile, written);
  } finally {
    reader.close();
  }
}

/** A run that nobody ever arrived in, without a person's doing, could not be made. */
export function exitCode(run: RunView): number {
  const verdict = run.verdict?.verdict;
  if (verdict === 'pass') return exitCodes.pass;
  const nobodyCame = run.figures.connectedPeak === 0 && run.figures.failed === 0;
  return verdict === 'inconclusive' && nobodyCame ? exitCodes.notMade : exitCodes.notPass;
}
