import { resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import type { Estimate } from '../domain/estimate/estimate';
import { estimatePlan, usualLoad, usualMost } from '../domain/estimate/estimatePlan';
import { estimateLines } from '../domain/estimate/estimateTable';
import { formatDuration } from '../domain/timeFormat';
import type { Command } from './args';
import { commandEngine } from './commandEngine';
import type { Installation } from './installation';
import { withSavedRun } from './savedRun';
import { readPlan } from './readPlan';
import { conduct, exitCodes } from './runCommand';
import { whatIfLines } from './whatIfText';
import { print, printJson, say } from './say';

type EstimateCommand = Extract<Command, { command: 'estimate' }>;

/** Prints what a kept run, or a small load that is made for it, says of larger audiences. Resolves with the exit code: 1 where nothing can be told. */
export async function estimateCommand(command: EstimateCommand, installation: Installation): Promise<number> {
  const { run } = command;
  const found = run === undefined ? await fromPlan(command, installation) : await fromRun(run, installation);
  if (!found) return exitCodes.notMade;
  if (command.json) printJson(found);
  else print(`${[...estimateLines(found), ...whatIfLines(found, command.wish)].join('\n')}\n`);
  return found.resources.length > 0 ? exitCodes.pass : exitCodes.notPass;
}

function fromRun(run: string, installation: Installation): Promise<Estimate> {
  return withSavedRun(run, installation, (runs, id) => runs.call('estimate', { run: id }));
}

async function fromPlan(command: EstimateCommand, installation: Installation): Promise<Estimate | undefined> {
  if (command.plan === undefined) return undefined;
  const whole = await readPlan({ ...command, plan: command.plan }, say);
  if (!whole) return undefined;
  const mostViewers = command.most ?? usualMost(whole);
  if (mostViewers < usualLoad.sizes)
    throw new FullhouseError('too-few', `An estimate needs ${usualLoad.sizes} viewers at least; say --most.`);
  const plan = estimatePlan(whole, {
    ...usualLoad,
    ...(command.holdMs && { holdMs: command.holdMs }),
    mostViewers,
  });
  say(
    `At most ${mostViewers} viewers in ${usualLoad.sizes} steps, about ${formatDuration(plan.pull.holdMs)}; it gives up when viewers degrade or fail, or the origin's CPU goes over 70 %.`,
  );
  const out = resolve(command.out);
  const { acceptHostKeys } = command;
  const engine = commandEngine(installation, { runsFolder: out, acceptHostKeys });
  try {
    const ended = await conduct(engine, plan);
    const found = await engine.saved.call('estimate', { run: ended.id });
    await engine.shutdown();
    say(`Run: ${engine.runFile(ended.id)}`);
    if (ended.verdict) say(`${ended.verdict.verdict.toUpperCase()}  ${ended.verdict.sentence}`);
    return found;
  } finally {
    await engine.shutdown(true);
  }
}
