import { formatClients, formatFigure, formatCount, formatViewers } from '../text/numberFormat';
import type { PlanSearch, PlanStage } from '../model/audienceValues';
import { longestMs, writeDuration, writeRate } from './quantity';
import { replacedOf } from '../stages/loadProfile';

/** Validates a load profile, from a plan's text or another source. */
export interface StageFault {
  /** Index of the stage, from 0; absent for the entire profile. */
  readonly stage?: number;
  /** The faulty field, as named in a plan. */
  readonly field: string;
  /** What is wrong and what to do. */
  readonly sentence: string;
}

/** More levels than these should be a ramp. */
const maxLevels = 1000;

/** The first invalid stage; undefined if all are valid. */
export function stageFault(stages: readonly PlanStage[]): StageFault | undefined {
  let level = 0;
  let isEmpty = true;
  let wholeMs = 0;
  for (const [stage, each] of stages.entries()) {
    const fault = faultOf(each, level, isEmpty);
    if (fault) return { stage, ...fault };
    if (each.kind === 'ramp' || each.kind === 'step') level = each.viewers;
    isEmpty &&= each.kind !== 'spike' && level === 0;
    wholeMs += 'forMs' in each ? each.forMs : 'overMs' in each ? each.overMs : 0;
    if (wholeMs > longestMs)
      return { stage, field: each.kind, sentence: 'With this stage, the stages take longer than a year.' };
  }
  return undefined;
}

type OfStage = Omit<StageFault, 'stage'>;

function faultOf(stage: PlanStage, level: number, isEmpty: boolean): OfStage | undefined {
  const fault = (field: string, sentence: string): OfStage => ({ field, sentence });
  const unchanged = `The level is already ${formatViewers(level)}`;
  switch (stage.kind) {
    case 'ramp':
      if (stage.overMs <= 0) return fault('over', 'The ramp needs a duration above 0, e.g. 30s.');
      return stage.viewers === level
        ? fault('ramp', `${unchanged}, so this ramp changes nothing. Write another number, or { hold: 30s }.`)
        : undefined;
    case 'hold':
      return isEmpty ? fault('hold', 'The hold starts at 0 viewers. Start with { ramp: 500, over: 30s }.') : undefined;
    case 'soak':
      return level === 0
        ? fault('soak', 'The soak starts at 0 viewers. Add a stage before it, e.g. { ramp: 500, over: 30s }.')
        : undefined;
    case 'step': {
      const way = Math.abs(stage.viewers - level);
      if (way === 0) return fault('step', `${unchanged}, so these steps change nothing. Write another number.`);
      return way / stage.by > maxLevels
        ? fault(
            'by',
            `From ${formatCount(level)} to ${formatCount(stage.viewers)} by ${formatCount(stage.by)} makes more than ${formatCount(maxLevels)} steps. Use larger steps, or a ramp.`,
          )
        : undefined;
    }
    case 'spike':
      return stage.viewers <= level
        ? fault('spike', `${unchanged}; a spike must go above it. Write a larger number.`)
        : undefined;
    case 'churn':
      return churnFault(stage, level);
  }
}

function churnFault(
  { forMs, everyMs, replacePercent, ratePerSecond }: Extract<PlanStage, { kind: 'churn' }>,
  level: number,
): OfStage | undefined {
  if (level === 0)
    return {
      field: 'churn',
      sentence: 'The churn starts at 0 viewers. Add a stage before it, e.g. { ramp: 500, over: 30s }.',
    };
  if (forMs < everyMs)
    return {
      field: 'every',
      sentence: `It lasts ${writeDuration(forMs)} but replaces viewers every ${writeDuration(everyMs)}. Make it longer, or replace more often.`,
    };
  const replaced = replacedOf(level, replacePercent);
  const neededMs = (replaced * 1000) / ratePerSecond;
  if (neededMs <= everyMs) return undefined;
  return {
    field: 'rate',
    sentence:
      `${replacePercent} % of ${formatCount(level)} are ${formatViewers(replaced)}, which need ${formatFigure(neededMs / 1000, 'adaptive')} s at ${writeRate(ratePerSecond)} but are replaced every ${writeDuration(everyMs)}. ` +
      'Increase the rate, or replace fewer viewers, or less often.',
  };
}

/** The fault of a search; undefined if it is valid. */
export function searchFault(
  { fromViewers, maxViewers }: PlanSearch,
  clients: 'viewers' | 'publishers' = 'viewers',
): StageFault | undefined {
  if (maxViewers > fromViewers) return undefined;
  return {
    field: 'max',
    sentence: `The search starts at ${formatClients(fromViewers, clients)} and ends at ${formatCount(maxViewers)}, so there is nothing to search. Write a larger number.`,
  };
}
