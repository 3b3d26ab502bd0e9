import type { Finding, Influence, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import type { DelayExpectation, SeriesThreshold } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { allAudiences, audiencesWithPercentiles, type NamedAudience } from '../plan/audiences';
import { describeDelay } from '../plan/delayText';
import { audienceDelays, delaySeries, runDelayMethods, type RunDelay } from '../run/runDelay';
import { describeAmount } from '../series/seriesAmount';
import { formatCount } from '../text/numberFormat';
import { influencesOfMisses } from './verdictThresholds';
import { at } from './verdictRules';

export const expectedDelay = (expectation: DelayExpectation): string => `expected ${describeDelay(expectation)}`;

/**
 * A percentile of the delay over the whole run, of each audience by the best method that measured it: the clock in the
 * picture, capture times, sender reports, or times of day in a playlist.
 */
export function judgeDelay(
  judged: Judged,
  expectation: DelayExpectation,
  limits: readonly TesterLimit[],
): readonly Finding[] {
  const measured = audienceDelays(judged.view.figures);
  if (measured.length > 0) return measured.map((each) => judgeMeasured(judged, expectation, each, limits));
  return [
    {
      result: 'missing',
      series: delaySeries(runDelayMethods[0].distribution, expectation.stat),
      sentence: `Delay ${expectation.stat} was not measured: no clock in a picture was read, and the testers had no capture times, sender reports or times of day in a playlist.`,
      expected: expectedDelay(expectation),
      timeMs: judged.time.fromMs,
    },
  ];
}

function judgeMeasured(
  judged: Judged,
  expectation: DelayExpectation,
  { method, figures }: RunDelay,
  limits: readonly TesterLimit[],
): Finding {
  const { stat, valueMs: limitMs } = expectation;
  const expected = expectedDelay(expectation);
  const { fromMs } = judged.time;
  const { audience: place, count, seconds } = figures;
  const audience = place === undefined ? undefined : allAudiences(judged.view.plan)[place - 1];
  const series = delaySeries(method.distribution, stat);
  const title = `Delay ${stat}${audience ? ` of ${audience.name}` : ''} by ${method.by}`;
  const what = `${formatCount(count)} ${method.of}${seconds === undefined ? '' : ` in ${formatCount(seconds)} s`}`;
  const holdSeconds = secondsOfHold(judged);
  if (seconds !== undefined && 2 * seconds < holdSeconds)
    return {
      result: 'missing',
      series,
      sentence: `${title} was measured for too short a time: ${what} of ${formatCount(holdSeconds)} s; half of them are needed.`,
      expected,
      timeMs: fromMs,
    };
  const valueMs = figures[stat];
  const isMissed = valueMs > limitMs;
  const threshold = { series, comparison: '<=', value: limitMs } as const;
  const { worst, invalidatedBy } = missesOf(judged, threshold, audience, limits);
  const peak = worst && `; at ${at(judged, worst.timeMs)} it was ${describeAmount(series, worst.value)}`;
  return {
    result: isMissed ? 'failed' : 'met',
    series,
    sentence: isMissed
      ? `${title} was ${describeAmount(series, valueMs)} over the run, more than its limit of ${describeAmount(series, limitMs)}${peak ?? ''} (${what}).`
      : `${title}: ${describeAmount(series, valueMs)}, limit ${describeAmount(series, limitMs)} (${what}).`,
    expected,
    timeMs: (isMissed ? worst?.timeMs : undefined) ?? fromMs,
    ...(audience ? { audience: audience.name } : {}),
    measured: valueMs,
    invalidatedBy: isMissed ? invalidatedBy : [],
  };
}

/** Whole seconds of the hold, as far as it is judged. */
function secondsOfHold({ view, time }: Judged): number {
  const hold = view.phases.find(({ name }) => name === 'hold');
  return Math.max(0, Math.floor((time.toMs - Math.max(time.fromMs, hold?.startMs ?? time.fromMs)) / 1000));
}

/** The worst second, and what explains the seconds beyond the limit where each of them has a cause other than the server. */
function missesOf(
  judged: Judged,
  threshold: SeriesThreshold,
  audience: NamedAudience | undefined,
  limits: readonly TesterLimit[],
): {
  readonly worst: { readonly timeMs: number; readonly value: number } | undefined;
  readonly invalidatedBy: readonly Influence[];
} {
  const { nodes, plan } = judged.view;
  const audiences = audiencesWithPercentiles(plan).filter(
    ({ id }) =>
      (audience === undefined || id === audience.id) && judgedValues(judged, id, threshold.series).timeMs.length > 0,
  );
  const subjects = audiences.length > 0 ? audiences : nodes;
  const all = subjects.flatMap((subject) => {
    const { timeMs, value } = judgedValues(judged, subject.id, threshold.series);
    const misses = timeMs.flatMap((ms, place) => {
      const second = { timeMs: ms, value: value[place] ?? 0 };
      return second.value > threshold.value ? [second] : [];
    });
    if (misses.length === 0) return [];
    const of = 'role' in subject ? { node: subject, pull: undefined } : { node: undefined, pull: subject.pull };
    return [{ misses, influences: influencesOfMisses(judged, threshold, of, misses, value.length, limits) }];
  });
  const misses = all.flatMap((each) => each.misses);
  const isExplained = all.every(({ influences }) => influences.length > 0);
  return {
    worst: misses.reduce<(typeof misses)[number] | undefined>(
      (most, miss) => (most && most.value >= miss.value ? most : miss),
      undefined,
    ),
    invalidatedBy: isExplained ? all.flatMap(({ influences }) => influences) : [],
  };
}
