import type { Finding, Judged } from './judged';
import { hostValues, judgedValues } from './judgedValues';
import type { NodeView } from '../node';
import type { SeriesThreshold } from '../plan/plan';
import { planNodeName } from '../plan/planNodes';
import type { TesterLimit } from '../run';
import { seriesDefinition } from '../series';
import { describeAmount } from '../seriesAmount';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerSpoilers';
import { busyForThreshold } from './busyThresholds';
import { isSpoilable } from './spoilable';
import { at, count, figure, isMet } from './verdictRules';
import type { Values } from '../windows';

/** What came of an expectation of a series: one finding for each node that it is expected of. */
export function judgeThreshold(
  judged: Judged,
  threshold: SeriesThreshold,
  limits: readonly TesterLimit[],
): Finding[] {
  const { node: name } = threshold;
  const { nodes } = judged.view;
  if (name !== undefined) {
    const node = nodes.find((each) => each.name === name || each.id === name || planNodeName(each) === name);
    const values = node && valuesOf(judged, node, threshold);
    return [
      node && values && values.timeMs.length > 0
        ? judgeNode(judged, threshold, node, values, limits)
        : missing(judged, threshold, name),
    ];
  }
  const found = nodes.flatMap((node) => {
    const values = afterGrace(judged, threshold, judgedValues(judged, node.id, threshold.series));
    return values.timeMs.length > 0 ? [judgeNode(judged, threshold, node, values, limits)] : [];
  });
  return found.length > 0 ? found : [missing(judged, threshold, undefined)];
}

/** Figures of a host may stand under the name of another node on it. */
function valuesOf(judged: Judged, node: NodeView, threshold: SeriesThreshold): Values {
  const { series } = threshold;
  const isOfHost = seriesDefinition(series)?.source === 'host';
  return afterGrace(
    judged,
    threshold,
    isOfHost ? hostValues(judged, node, series) : judgedValues(judged, node.id, series),
  );
}

function afterGrace({ time }: Judged, { graceMs = 0 }: SeriesThreshold, { timeMs, value }: Values): Values {
  const isJudged = timeMs.map((each) => each >= time.fromMs + graceMs);
  return { timeMs: timeMs.filter((_, i) => isJudged[i]), value: value.filter((_, i) => isJudged[i]) };
}

function judgeNode(
  judged: Judged,
  threshold: SeriesThreshold,
  node: NodeView,
  { timeMs, value }: Values,
  limits: readonly TesterLimit[],
): Finding {
  const { series, comparison, tolerancePercent = 0 } = threshold;
  const seconds = value.length;
  const isBad = (place: number): boolean => !isMet(threshold, value[place] ?? 0);
  const bad = value.flatMap((_, place) => (isBad(place) ? [place] : []));
  const worse = (a: number, b: number): boolean =>
    comparison === '<=' ? (value[a] ?? 0) > (value[b] ?? 0) : (value[a] ?? 0) < (value[b] ?? 0);
  const worst = value.reduce((most, _, place) => (worse(place, most) ? place : most), 0);
  const percent = (100 * bad.length) / seconds;
  const isMissed = percent > tolerancePercent;
  const [firstBad = worst] = bad;
  const title = `${titleOf(threshold)} of ${node.name}`;
  const peak = describeAmount(series, value[worst] ?? 0);
  const extreme = `${comparison === '<=' ? 'at most' : 'at least'} ${peak}`;
  const limit = `limit ${describeAmount(series, threshold.value)}`;
  const share = `${count(bad.length)} of ${count(seconds)} s beyond it, ${figure(percent)} %`;
  const further =
    worst === firstBad ? `, to ${peak}` : `, and to ${peak} at ${at(judged, timeMs[worst] ?? 0)}`;
  const allowed = tolerancePercent > 0 ? `${tolerancePercent} % may be` : '';
  return {
    result: isMissed ? 'failed' : 'met',
    series,
    sentence: isMissed
      ? `${title} went ${comparison === '<=' ? 'over' : 'under'} its limit of ${describeAmount(series, threshold.value)} at ${at(judged, timeMs[firstBad] ?? 0)}${further}: ${share}${allowed && `, where ${allowed}`}.`
      : `${title}: ${extreme}, ${limit}${bad.length > 0 ? `; ${share}, ${allowed}` : ''}.`,
    expected: expectedOf(threshold),
    timeMs: timeMs[isMissed ? firstBad : worst] ?? judged.time.fromMs,
    node: node.id,
    spoiltBy: isMissed
      ? [
          ...busyForThreshold(
            judged,
            threshold,
            node,
            bad.map((place) => ({ timeMs: timeMs[place] ?? 0, value: value[place] ?? 0 })),
            seconds,
          ),
          ...(isDoubtful(threshold, node, timeMs, bad, limits) ? firstOfEach(limits) : []),
        ]
      : [],
  };
}

/** Whether too little would be left of it without the stretches in which a tester bounded what its own viewers saw. */
function isDoubtful(
  threshold: SeriesThreshold,
  node: NodeView,
  timeMs: readonly number[],
  bad: readonly number[],
  limits: readonly TesterLimit[],
): boolean {
  const { series, tolerancePercent = 0 } = threshold;
  if (seriesDefinition(series)?.source !== 'audience' || !isSpoilable(threshold)) return false;
  const sound = bad.filter((place) => !isLimited(limits, node.id, timeMs[place] ?? 0, timeMs[place] ?? 0));
  return (100 * sound.length) / timeMs.length <= tolerancePercent;
}

function missing(judged: Judged, threshold: SeriesThreshold, node: string | undefined): Finding {
  const { graceMs = 0 } = threshold;
  const { fromMs, toMs } = judged.time;
  const of = node === undefined ? '' : ` of ${node}`;
  return {
    result: 'missing',
    series: threshold.series,
    sentence:
      graceMs >= toMs - fromMs
        ? `${titleOf(threshold)}${of} was to be judged after ${figure(graceMs / 1000)} s, and the run was over by then.`
        : `${titleOf(threshold)}${of} was not measured.`,
    expected: expectedOf(threshold),
    timeMs: fromMs,
  };
}

function titleOf({ series }: SeriesThreshold): string {
  return seriesDefinition(series)?.title ?? series;
}

/** What a reason of the verdict says was expected. */
export function expectedOf({ series, comparison, value, tolerancePercent = 0 }: SeriesThreshold): string {
  const tolerance = tolerancePercent > 0 ? `, ${tolerancePercent} % of the time may miss it` : '';
  return `expected ${comparison} ${describeAmount(series, value)}${tolerance}`;
}
