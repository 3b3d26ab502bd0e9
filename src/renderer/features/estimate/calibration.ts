import { defaultLoad, type SmallLoad } from '../../../domain/estimate/estimatePlan';
import type { PullPlan } from '../../../domain/model/publisherGroup';
import type { StopCondition } from '../../../domain/model/plan';
import { formatDuration } from '../../../domain/text/timeFormat';
import { counted, grouped, typedNumber } from '../../ui/format/numbers';

export interface CalibrationReading {
  readonly load?: SmallLoad;
  readonly problem?: { readonly field: 'most' | 'hold'; readonly sentence: string };
}

const longestHoldS = 3600;

/** Parses the fields. */
export function readCalibration(most: string, holdSeconds: string): CalibrationReading {
  const maxViewers = typedNumber(most) ?? 0;
  if (!Number.isInteger(maxViewers) || maxViewers < defaultLoad.sizes)
    return {
      problem: {
        field: 'most',
        sentence: `Enter a whole number of at least ${defaultLoad.sizes} viewers.`,
      },
    };
  const seconds = typedNumber(holdSeconds) ?? 0;
  if (seconds < 10 || seconds > longestHoldS)
    return {
      problem: {
        field: 'hold',
        sentence: "Enter a hold of 10 s to 1 h: the first 4 s don't count.",
      },
    };
  return { load: { maxViewers, sizes: defaultLoad.sizes, holdMs: Math.round(seconds * 1000) } };
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

/** Describes the run before the start. */
export function calibrationSentences({ pull, stopWhen = [] }: PullPlan): string[] {
  const [step] = pull.stages ?? [];
  const by = step?.kind === 'step' ? step.by : pull.viewers;
  const holdMs = step?.kind === 'step' ? step.holdMs : 0;
  return [
    `Up to ${counted(pull.viewers, 'viewer')} of ${pull.stream} from ${pull.from} by ${pull.by.join(' and ')}, ` +
      `in steps of ${grouped(by)}, each held for ${formatDuration(holdMs)}. Takes about ${formatDuration(pull.holdMs)}, then all viewers disconnect.`,
    ...(stopWhen.length > 0 ? [`Stops early if ${stopWhen.map(stopText).join(', or ')}.`] : []),
  ];
}
