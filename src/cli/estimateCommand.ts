import { resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import type { Estimate } from '../domain/estimate/estimate';
import { estimatePlan, defaultLoad, defaultMaxViewers } from '../domain/estimate/estimatePlan';
import { estimateLines } from '../domain/estimate/estimateTable';
import { isAnswered, whatIf } from '../domain/estimate/whatIf';
import { formatDuration } from '../domain/text/timeFormat';
import type { Command } from './args';
import { commandEngine } from './commandEngine';
import { consentOptions, consentTo } from './consent';
import type { Installation } from './installation';
import { withSavedRun } from './savedRun';
import { readPlan } from './readPlan';
import { exitCodes } from './exitCodes';
import { runToEnd } from './runCommand';
import { whatIfLines } from './whatIfText';
import { print, printJson, printStatus } from './print';

type EstimateCommand = Extract<Command, { command: 'estimate' }>;

/**
 * Prints the capacity estimate of a saved run, or of a calibration run for a plan. Resolves with the exit code: 1
 * without a result.
 */
export async function estimateCommand(command: EstimateCommand, installation: Installation): Promise<number> {
  const { run } = command;
  const found = run === undefined ? await fromPlan(command, installation) : await fromRun(run, installation);
  if (!found) return exitCodes.notStarted;
  if (command.json) printJson(found);
  else print(...estimateLines(found), ...whatIfLines(found, command.scenario));
  const { scenario } = command;
  const hasAnswer = scenario ? isAnswered(whatIf(found, scenario)) : found.ceiling !== undefined;
  return hasAnswer ? exitCodes.pass : exitCodes.fail;
}

function fromRun(run: string, installation: Installation): Promise<Estimate> {
  return withSavedRun(run, installation, (runs, id) => runs.call('estimate', { run: id }));
}

async function fromPlan(command: EstimateCommand, installation: Installation): Promise<Estimate | undefined> {
  if (command.plan === undefined) return undefined;
  const whole = await readPlan({ ...command, plan: command.plan }, printStatus);
  if (!whole) return undefined;
  const maxViewers = command.max ?? defaultMaxViewers(whole);
  if (maxViewers < defaultLoad.sizes)
    throw new FullhouseError('too-few', `An estimate requires at least ${defaultLoad.sizes} viewers; increase --max.`);
  const plan = estimatePlan(whole, {
    ...defaultLoad,
    ...(command.holdMs && { holdMs: command.holdMs }),
    maxViewers,
  });
  printStatus(
    `Max ${maxViewers} viewers in ${defaultLoad.sizes} steps, about ${formatDuration(plan.pull.holdMs)}; it stops when viewers degrade or fail, or the origin's CPU exceeds 70 %.`,
  );
  const out = resolve(command.out);
  const { acceptHostKeys } = command;
  const consent = consentOptions({ plan: command.plan, sets: command.sets });
  const engine = commandEngine(installation, { runsFolder: out, acceptHostKeys, consent });
  try {
    const allowed = await consentTo(engine, plan, command);
    if (!allowed) return undefined;
    const ended = await runToEnd(engine, plan, () => engine.client.call('runs.start', { plan, ...allowed }));
    const found = await engine.saved.call('estimate', { run: ended.id });
    await engine.shutdown();
    printStatus(`Run: ${engine.runFile(ended.id)}`);
    if (ended.verdict) printStatus(`${ended.verdict.verdict.toUpperCase()}  ${ended.verdict.sentence}`);
    return found;
  } finally {
    await engine.shutdown(true);
  }
}
