import { usualLoad, type SmallLoad } from '../../domain/estimate/estimatePlan';
import type { Plan, StopCondition } from '../../domain/plan/plan';
import { formatDuration } from '../../domain/timeFormat';
import { counted, grouped, typedNumber } from '../format/numbers';

export interface SmallLoadReading {
  readonly load?: SmallLoad;
  readonly problem?: { readonly field: 'most' | 'hold'; readonly sentence: string };
}

const longestHoldS = 3600;

/** The fields as typed. */
export function readSmallLoad(most: string, holdSeconds: string): SmallLoadReading {
  const mostViewers = typedNumber(most) ?? 0;
  if (!Number.isInteger(mostViewers) || mostViewers < usualLoad.sizes)
    return {
      problem: {
        field: 'most',
        sentence: `An estimate needs ${usualLoad.sizes} viewers at least, as a whole number.`,
      },
    };
  const seconds = typedNumber(holdSeconds) ?? 0;
  if (seconds < 10 || seconds > longestHoldS)
    return {
      problem: {
        field: 'hold',
        sentence:
          "Each size has to be held for 10 s at least (and an hour at most): the first 4 s of it don't count.",
      },
    };
  return { load: { mostViewers, sizes: usualLoad.sizes, holdMs: Math.round(seconds * 1000) } };
}

const stops: Readonly<Record<string, string>> = {
  degraded: 'viewers are degraded',
  failed: 'viewers fail',
};

function stopText({ what, value, comparison, forMs }: StopCondition): string {
  const sign = comparison === '>' ? 'more' : 'less';
  const lasting = `for ${formatDuration(forMs)}`;
  const subject = stops[what];
  if (subject) return `${sign} than ${value} % of the ${subject} ${lasting}`;
  return what === 'cpu'
    ? `the CPU of the origin is ${comparison === '>' ? 'over' : 'under'} ${value} % ${lasting}`
    : `${what} is ${comparison === '>' ? 'over' : 'under'} ${value} ${lasting}`;
}

/** What the button does, before it is pressed. */
export function smallLoadSentences({ pull, stopWhen = [] }: Plan): string[] {
  const [step] = pull.stages ?? [];
  const by = step?.kind === 'step' ? step.by : pull.viewers;
  const holdMs = step?.kind === 'step' ? step.holdMs : 0;
  return [
    `${counted(pull.viewers, 'viewer')} of ${pull.stream} at most, from ${pull.from} by ${pull.by.join(' and ')}: ${grouped(by)} more at a time, each size held for ${formatDuration(holdMs)}. About ${formatDuration(pull.holdMs)} in all, then everybody leaves.`,
    ...(stopWhen.length > 0 ? [`It gives up when ${stopWhen.map(stopText).join(', or ')}.`] : []),
  ];
}
