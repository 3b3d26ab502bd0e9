import { resolve } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { Estimate } from '../../domain/estimate/estimate';
import { hasAudience } from '../../domain/model/publisherGroup';
import { estimatePlan, defaultLoad, defaultMaxViewers } from '../../domain/estimate/estimatePlan';
import { estimateLines } from '../../domain/estimate/estimateTable';
import { isAnswered, whatIf, type WhatIf } from '../../domain/estimate/whatIf';
import { whatIfSentences } from '../../domain/estimate/whatIfText';
import { parseDuration, writeDuration } from '../../domain/plan/quantity';
import { formatDuration } from '../../domain/text/timeFormat';
import { command, form, type Arguments } from '../command';
import { commandEngine } from '../commandEngine';
import { consentOptions, consentTo } from '../consent';
import { exitCodes, runExitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import {
  defaultOut,
  file,
  json,
  kbps,
  otherwise,
  out,
  planChoices,
  planOptions,
  text,
  type PlanChoices,
  forHow,
} from '../options';
import { print, printJson, printStatus } from '../print';
import { readPlan } from '../readPlan';
import { runToEnd } from '../run/runToEnd';
import { withSavedRun } from '../savedRun';
import { UsageError } from '../usageError';
import { verdictText } from '../../domain/run/verdictText';

const options = {
  plan: file('a plan for the calibration load', 'PLAN.yaml'),
  max: {
    ...otherwise(text('N', 'max viewers of the calibration load'), "a tenth of the plan's"),
    formerly: 'most',
  },
  hold: otherwise(text('DURATION', 'time at each size, e.g. 20s'), writeDuration(defaultLoad.holdMs)),
  out: otherwise(out, defaultOut),
  json,
  ...planOptions,
  for: forHow,
  kbps: otherwise(kbps, 'as measured'),
  cores: otherwise(text('N', 'cores of the server'), 'as measured'),
  nic: otherwise(text('MBIT/S', 'bandwidth of the server'), 'as measured'),
  memory: otherwise(text('GIB', 'memory of the server'), 'as measured'),
} as const;

export const estimate = command({
  name: 'estimate',
  operand: 'run',
  options,
  forms: [
    form('RUN', 'estimate capacity from a saved run with several sizes'),
    form(
      '--plan PLAN.yaml [--max N] [--hold 20s] [--for N [--kbps N] [--cores N] [--nic MBIT/S] [--memory GIB]]',
      "run a calibration load first (a tenth of the plan's viewers) and estimate the resources for N viewers",
    ),
  ],
  examples: [
    'estimate runs/lab.fullhouse --for 5,000 --kbps 2500',
    'estimate --plan plans/pull-1000-lab.yaml --max 100 --hold 30s',
  ],
  exitCodes: { pass: 'an estimate', fail: 'no result', stopped: runExitCodes.stopped },
  read: readInput,
  run: runEstimate,
});

interface EstimateInput extends PlanChoices {
  /** A saved run, or else a plan. */
  readonly run: string | undefined;
  readonly plan: string | undefined;
  /** Max viewers of the calibration; default: a tenth of the plan's. */
  readonly max: number | undefined;
  readonly holdMs: number | undefined;
  readonly scenario: WhatIf | undefined;
  readonly out: string;
  readonly json: boolean;
}

/** Options of the calibration run, without which a saved run is estimated. */
const ofPlan = ['max', 'hold', 'out', 'set', 'yes', 'allow-hooks'] as const;

function readInput({ operands: [run, more], values, given }: Arguments<typeof options>): EstimateInput {
  const { plan, hold } = values;
  if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
  if ((run === undefined) === (plan === undefined))
    throw new UsageError('Specify a run or a plan: fullhouse estimate RUN, or fullhouse estimate --plan PLAN.yaml');
  if (run !== undefined && ofPlan.some((name) => given.has(name)))
    throw new UsageError('--max, --hold, --out, --set, --yes and --allow-hooks require --plan.');
  const max = positiveNumber('max', values.max);
  const holdMs = hold === undefined ? undefined : parseDuration(hold);
  if (hold !== undefined && (holdMs === undefined || holdMs < 10_000))
    throw new UsageError(`--hold "${hold}" is not a duration of 10s or more; write it like 20s.`);
  return {
    ...{ run, plan, holdMs },
    max: max === undefined ? undefined : Math.round(max),
    scenario: scenarioOf(values),
    out: values.out ?? defaultOut,
    json: values.json,
    ...planChoices(values),
  };
}

/** The target audience of `--for`, with what is known of its stream and server. */
function scenarioOf(values: Arguments<typeof options>['values']): WhatIf | undefined {
  const number = (name: 'for' | 'kbps' | 'cores' | 'nic' | 'memory'): number | undefined =>
    positiveNumber(name, values[name]);
  const viewers = number('for');
  const [bitrateKbps, cores, nicMbps, memory] = [number('kbps'), number('cores'), number('nic'), number('memory')];
  if (viewers === undefined && (bitrateKbps ?? cores ?? nicMbps ?? memory) !== undefined)
    throw new UsageError('Specify the number of viewers: --for N');
  if (viewers === undefined) return undefined;
  return {
    viewers: Math.round(viewers),
    ...(bitrateKbps !== undefined && { bitrateKbps }),
    ...(cores !== undefined && { cores }),
    ...(nicMbps !== undefined && { nicMbps }),
    ...(memory !== undefined && { memoryBytes: memory * 2 ** 30 }),
  };
}

function positiveNumber(name: string, typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const value = Number(typed.replaceAll(',', ''));
  if (!(value > 0) || !Number.isFinite(value)) throw new UsageError(`--${name} "${typed}" is not a number above 0.`);
  return value;
}

/**
 * Prints the capacity estimate of a saved run, or of a calibration run for a plan. Resolves with the exit code: 1
 * without a result.
 */
async function runEstimate(input: EstimateInput, installation: Installation): Promise<number> {
  const { run } = input;
  const estimate = run === undefined ? await fromPlan(input, installation) : await fromRun(run, installation);
  if (!estimate) return exitCodes.notStarted;
  if (input.json) printJson(estimate);
  else print(...estimateLines(estimate), ...whatIfLines(estimate, input.scenario));
  const { scenario } = input;
  const hasAnswer = scenario ? isAnswered(whatIf(estimate, scenario)) : estimate.ceiling !== undefined;
  return hasAnswer ? exitCodes.pass : exitCodes.fail;
}

function fromRun(run: string, installation: Installation): Promise<Estimate> {
  return withSavedRun(run, installation, (runs, id) => runs.call('estimate', { run: id }));
}

async function fromPlan(input: EstimateInput, installation: Installation): Promise<Estimate | undefined> {
  if (input.plan === undefined) return undefined;
  const whole = await readPlan({ ...input, plan: input.plan }, printStatus);
  if (!whole) return undefined;
  if (!hasAudience(whole))
    throw new FullhouseError(
      'bad-plan',
      'An estimate is of the cost of each viewer, and this plan has publishers only. Add "pull".',
    );
  const maxViewers = input.max ?? defaultMaxViewers(whole);
  if (maxViewers < defaultLoad.sizes)
    throw new FullhouseError('too-few', `An estimate requires at least ${defaultLoad.sizes} viewers; increase --max.`);
  const plan = estimatePlan(whole, {
    ...defaultLoad,
    ...(input.holdMs && { holdMs: input.holdMs }),
    maxViewers,
  });
  const lengthMs = plan.pull?.holdMs ?? 0;
  printStatus(
    `Max ${maxViewers} viewers in ${defaultLoad.sizes} steps, about ${formatDuration(lengthMs)}; it stops when viewers degrade or fail, or the origin's CPU exceeds 70 %.`,
  );
  const out = resolve(input.out);
  const { acceptHostKeys } = input;
  const consent = consentOptions({ plan: input.plan, sets: input.sets });
  const engine = commandEngine(installation, { runsFolder: out, acceptHostKeys, consent });
  try {
    const allowed = await consentTo(engine, plan, input);
    if (!allowed) return undefined;
    const ended = await runToEnd(engine, plan, () => engine.client.call('runs.start', { plan, ...allowed }));
    const estimate = await engine.saved.call('estimate', { run: ended.id });
    await engine.shutdown();
    printStatus(`Run: ${engine.runFile(ended.id)}`);
    if (ended.verdict) printStatus(`${verdictText(ended.verdict.verdict).toUpperCase()}  ${ended.verdict.sentence}`);
    return estimate;
  } finally {
    await engine.shutdown(true);
  }
}

/** The requirements of a target audience, if one was given. */
function whatIfLines(estimate: Estimate, target: WhatIf | undefined): string[] {
  if (!target || estimate.resources.length === 0) return [];
  return ['', ...whatIfSentences(whatIf(estimate, target), target)];
}
