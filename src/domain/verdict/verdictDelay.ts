import type { Finding, Influence, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import type { DelayExpectation, SeriesThreshold } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { audiencesWithPercentiles } from '../plan/audiences';
import { describeDelay } from '../plan/delayText';
import { delaySeries, runDelay, runDelayMethods } from '../run/runDelay';
import { describeAmount } from '../series/seriesAmount';
import { influencesOfMisses } from './verdictThresholds';
import { at } from './verdictRules';

export const expectedDelay = (expectation: DelayExpectation): string => `expected ${describeDelay(expectation)}`;

/**
 * A percentile of the delay over the whole run and all of its viewers, by the first method that measured it: the clock in
 * the picture, capture times, sender reports, or times of day in a playlist.
 */
export function judgeDelay(judged: Judged, expectation: DelayExpectation, limits: readonly TesterLimit[]): Finding {
  const { stat, valueMs: limitMs } = expectation;
  const measured = runDelay(judged.view.figures);
  const expected = expectedDelay(expectation);
  if (!measured)
    return {
      result: 'missing',
      series: delaySeries(runDelayMethods[0].distribution, stat),
      sentence: `Delay ${stat} was not measured: no clock in a picture was read, and the testers had no capture times, sender reports or times of day in a playlist.`,
      expected,
      timeMs: judged.time.fromMs,
    };
  const { method, figures } = measured;
  const series = delaySeries(method.distribution, stat);
  const valueMs = figures[stat];
  const isMissed = valueMs > limitMs;
  const { worst, invalidatedBy } = missesOf(judged, { series, comparison: '<=', value: limitMs }, limits);
  const title = `Delay ${stat} by ${method.by}`;
  const peak = worst && `; at ${at(judged, worst.timeMs)} it was ${describeAmount(series, worst.value)}`;
  return {
    result: isMissed ? 'failed' : 'met',
    series,
    sentence: isMissed
      ? `${title} was ${describeAmount(series, valueMs)} over the run, more than its limit of ${describeAmount(series, limitMs)}${peak ?? ''}.`
      : `${title}: ${describeAmount(series, valueMs)}, limit ${describeAmount(series, limitMs)}.`,
    expected,
    timeMs: (isMissed ? worst?.timeMs : undefined) ?? judged.time.fromMs,
    measured: valueMs,
    invalidatedBy: isMissed ? invalidatedBy : [],
  };
}

/** The worst second, and what explains the seconds beyond the limit where each of them has a cause other than the server. */
function missesOf(
  judged: Judged,
  threshold: SeriesThreshold,
  limits: readonly TesterLimit[],
): {
  readonly worst: { readonly timeMs: number; readonly value: number } | undefined;
  readonly invalidatedBy: readonly Influence[];
} {
  const { nodes, plan } = judged.view;
  const audiences = audiencesWithPercentiles(plan).filter(
    ({ id }) => judgedValues(judged, id, threshold.series).timeMs.length > 0,
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
