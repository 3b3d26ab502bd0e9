import { expectationIds, formatExpectation } from '../expectationText';
import type { Plan, PlanHook, PlanSchedule, SeriesThreshold, StopCondition } from './plan';
import { writeDuration } from './quantity';
import { writeAmount } from '../seriesAmount';
import { block, flow, list, scalar } from './yamlWords';

/** What a plan expects; a field a line where it expects anything of series. What it does not expect is written as `off`, since silence means the defaults. */
export function expectLines({ expect, thresholds = [] }: Plan): string[] {
  const fields: Record<string, string> = {};
  for (const id of expectationIds) {
    const expectation = expect[id];
    fields[id] = expectation ? JSON.stringify(formatExpectation(id, expectation)) : 'off';
  }
  for (const series of new Set(thresholds.map((each) => each.series))) {
    const all = thresholds.filter((each) => each.series === series).map(thresholdText);
    fields[series] = all.length === 1 ? all.join('') : list(all);
  }
  return thresholds.length > 0 ? ['expect:', ...block(fields, '  ')] : [`expect: ${flow(fields)}`];
}

function thresholdText(threshold: SeriesThreshold): string {
  const { series, comparison, value, node, tolerancePercent, graceMs } = threshold;
  const is = JSON.stringify(`${comparison} ${writeAmount(series, value)}`);
  if (node === undefined && tolerancePercent === undefined && graceMs === undefined) return is;
  return flow({
    is,
    ...(node === undefined ? {} : { node: scalar(node) }),
    ...(tolerancePercent === undefined ? {} : { tolerance: `${tolerancePercent}%` }),
    ...(graceMs === undefined ? {} : { grace: writeDuration(graceMs) }),
  });
}

/** When a run gives up, when it begins and who is told; a line each, and none for what a plan says nothing of. */
export function conductLines({ stopWhen = [], schedule, hooks = [] }: Plan): string[] {
  return [
    ...(stopWhen.length > 0 ? [`stop: ${list(stopWhen.map((each) => JSON.stringify(stopText(each))))}`] : []),
    ...(schedule && Object.keys(schedule).length > 0 ? [`schedule: ${flow(scheduleFields(schedule))}`] : []),
    ...(hooks.length > 0 ? [`hooks: ${list(hooks.map(hookText))}`] : []),
  ];
}

/** A condition as it is written, e.g. `degraded > 20% for 30s`. */
export function stopText({ what, node, comparison, value, forMs }: StopCondition): string {
  const amount =
    what === 'degraded' || what === 'failed' || what === 'cpu' ? `${value}%` : writeAmount(what, value);
  const of = node === undefined ? '' : ` of ${node}`;
  return `${what}${of} ${comparison} ${amount} for ${writeDuration(forMs)}`;
}

function scheduleFields({ atMs, repeat, everyMs }: PlanSchedule): Record<string, string> {
  return {
    ...(atMs === undefined ? {} : { at: new Date(atMs).toISOString().replace('.000Z', 'Z') }),
    ...(repeat === undefined ? {} : { repeat: String(repeat) }),
    ...(everyMs === undefined ? {} : { every: writeDuration(everyMs) }),
  };
}

function hookText(hook: PlanHook): string {
  const { at } = hook;
  return flow('run' in hook ? { at, run: list(hook.run.map(scalar)) } : { at, post: scalar(hook.post) });
}
