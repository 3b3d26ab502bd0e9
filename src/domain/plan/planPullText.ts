import type { PlanPull, PlanSearch, PlanStage } from './plan';
import { untilStopped, writeDuration, writeRate } from './quantity';
import { block, flow, list, scalar } from './yamlWords';

/** The lines of `pull`: short where an audience comes once, stays and leaves; else one field a line. */
export function pullLines(pulls: readonly PlanPull[]): string[] {
  const [only, ...others] = pulls;
  if (!only) return [];
  if (others.length > 0) return ['pull:', ...pulls.flatMap((pull) => linesOf(pull, '  - '))];
  const isShort = !only.stages && !only.search;
  return isShort ? [`pull: ${flow(shortFields(only))}`] : ['pull:', ...linesOf(only, '  ')];
}

function linesOf(pull: PlanPull, lead: string): string[] {
  if (!pull.stages && !pull.search) return [`${lead}${flow(shortFields(pull))}`];
  const { stages, search, ratePerSecond } = pull;
  return block(
    {
      ...placeFields(pull),
      ...(search ? { rate: writeRate(ratePerSecond), search: flow(searchFields(search)) } : {}),
      ...(stages ? { stages: stages.map((stage) => flow(stageFields(stage))) } : {}),
      ...realismField(pull),
    },
    lead,
  );
}

function shortFields(pull: PlanPull): Record<string, string> {
  return {
    ...placeFields(pull),
    viewers: String(pull.viewers),
    rate: writeRate(pull.ratePerSecond),
    hold: pull.holdMs === 0 ? untilStopped : writeDuration(pull.holdMs),
    ...realismField(pull),
  };
}

function placeFields({ stream, from, by, weights = {}, protocol }: PlanPull): Record<string, string> {
  const testers = by.map((name) =>
    Object.hasOwn(weights, name)
      ? flow({ tester: scalar(name), weight: String(weights[name]) })
      : scalar(name),
  );
  return { stream: scalar(stream), from: scalar(from), by: list(testers), protocol };
}

function realismField({ realism }: PlanPull): Record<string, string> {
  return realism ? { realism } : {};
}

function searchFields(search: PlanSearch): Record<string, string> {
  return {
    from: String(search.fromViewers),
    most: String(search.mostViewers),
    settle: writeDuration(search.settleMs),
    measure: writeDuration(search.measureMs),
    repeats: String(search.repeats),
    precision: `${search.precisionPercent}%`,
  };
}

function stageFields(stage: PlanStage): Record<string, string> {
  switch (stage.kind) {
    case 'ramp':
      return { ramp: String(stage.viewers), over: writeDuration(stage.overMs) };
    case 'hold':
    case 'soak':
      return { [stage.kind]: writeDuration(stage.forMs) };
    case 'step':
      return {
        step: String(stage.viewers),
        by: String(stage.by),
        hold: writeDuration(stage.holdMs),
        rate: writeRate(stage.ratePerSecond),
      };
    case 'spike':
      return {
        spike: String(stage.viewers),
        for: writeDuration(stage.forMs),
        rate: writeRate(stage.ratePerSecond),
      };
    case 'churn':
      return {
        churn: `${stage.replacePercent}%`,
        every: writeDuration(stage.everyMs),
        for: writeDuration(stage.forMs),
        rate: writeRate(stage.ratePerSecond),
      };
  }
}
