import { formatFigure } from '../numberFormat';
import type { PlanSearch, PlanStage } from '../plan/plan';
import { longestMs, writeDuration, writeRate } from '../plan/quantity';
import { replacedOf } from './course';

/** What is impossible about a course, for the text of a plan and for one that comes from elsewhere. */
export interface CourseFault {
  /** Place of the stage, from 0; absent for the whole. */
  readonly stage?: number;
  /** The field that is wrong, as it is written in a plan. */
  readonly field: string;
  /** What is wrong and what to do. */
  readonly sentence: string;
}

/** More levels than these are a ramp. */
const mostLevels = 1000;

const whole = (count: number): string => formatFigure(count, 'integer');
const crowd = (count: number): string => `${whole(count)} viewer${count === 1 ? '' : 's'}`;

/** The first stage that can't be, as its turn comes; undefined where all can. */
export function stageFault(stages: readonly PlanStage[]): CourseFault | undefined {
  let level = 0;
  let nobodyYet = true;
  let wholeMs = 0;
  for (const [stage, each] of stages.entries()) {
    const fault = faultOf(each, level, nobodyYet);
    if (fault) return { stage, ...fault };
    if (each.kind === 'ramp' || each.kind === 'step') level = each.viewers;
    nobodyYet &&= each.kind !== 'spike' && level === 0;
    wholeMs += 'forMs' in each ? each.forMs : 'overMs' in each ? each.overMs : 0;
    if (wholeMs > longestMs)
      return { stage, field: each.kind, sentence: 'With this stage they take longer than a year.' };
  }
  return undefined;
}

type OfStage = Omit<CourseFault, 'stage'>;

function faultOf(stage: PlanStage, level: number, nobodyYet: boolean): OfStage | undefined {
  const fault = (field: string, sentence: string): OfStage => ({ field, sentence });
  const isThere = `${crowd(level)} ${level === 1 ? 'is' : 'are'} there already`;
  switch (stage.kind) {
    case 'ramp':
      if (stage.overMs <= 0)
        return fault('over', 'Nobody comes or goes in no time. Give the ramp some, e.g. 30s.');
      return stage.viewers === level
        ? fault('ramp', `${isThere}, so this ramp moves nobody. Write another number, or { hold: 30s }.`)
        : undefined;
    case 'hold':
      return nobodyYet
        ? fault(
            'hold',
            'Nobody has come yet, so there is nobody to hold. Begin with { ramp: 500, over: 30s }.',
          )
        : undefined;
    case 'soak':
      return level === 0
        ? fault('soak', 'Nobody is there to soak. Put a stage before it, e.g. { ramp: 500, over: 30s }.')
        : undefined;
    case 'step': {
      const way = Math.abs(stage.viewers - level);
      if (way === 0) return fault('step', `${isThere}, so these steps move nobody. Write another number.`);
      return way / stage.by > mostLevels
        ? fault(
            'by',
            `From ${whole(level)} to ${whole(stage.viewers)} by ${whole(stage.by)} makes more than ${whole(mostLevels)} steps. Take larger ones, or a ramp.`,
          )
        : undefined;
    }
    case 'spike':
      return stage.viewers <= level
        ? fault('spike', `${isThere}, and a spike goes above that. Write a larger number.`)
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
      sentence: 'Nobody is there to be replaced. Put a stage before it, e.g. { ramp: 500, over: 30s }.',
    };
  if (forMs < everyMs)
    return {
      field: 'every',
      sentence: `It lasts ${writeDuration(forMs)} and replaces somebody every ${writeDuration(everyMs)}. Let it last longer, or replace more often.`,
    };
  const replaced = replacedOf(level, replacePercent);
  const neededMs = (replaced * 1000) / ratePerSecond;
  if (neededMs <= everyMs) return undefined;
  return {
    field: 'rate',
    sentence:
      `${replacePercent} % of ${whole(level)} are ${crowd(replaced)}, who need ${formatFigure(neededMs / 1000, 'adaptive')} s at ${writeRate(ratePerSecond)} and are replaced every ${writeDuration(everyMs)}. ` +
      'Let them come faster, replace fewer of them, or less often.',
  };
}

/** What is impossible about a search; undefined where nothing is. */
export function searchFault({ fromViewers, mostViewers }: PlanSearch): CourseFault | undefined {
  if (mostViewers > fromViewers) return undefined;
  return {
    field: 'most',
    sentence: `The search begins with ${crowd(fromViewers)} and ends at ${whole(mostViewers)}, so there is nothing to look for. Write a larger number.`,
  };
}
