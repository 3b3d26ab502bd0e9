import type { Finding, Influence, Judged, StopReached } from '../evidence/evidence';
import { hostValues, judgedValues } from '../evidence/evidenceValues';
import type { NodeView } from '../model/node';
import type { Audience, SeriesThreshold } from '../model/plan';
import { audiencesWithPercentiles, type NamedAudience } from '../plan/audiences';
import { planNodeName } from '../plan/planNodes';
import type { TesterLimit } from '../model/run';
import { percentileSeriesOf } from '../series/distributions';
import { seriesDefinition } from '../series/series';
import { describeAmount } from '../series/seriesAmount';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerEffects';
import { influencesOfViewers } from './busyHosts';
import { busyForMiss } from './busyThresholds';
import { isFigureOfViewers } from '../series/viewerFigures';
import { isAffectable } from './affectable';
import { at, isMet } from './verdictRules';
import type { Values } from '../series/windows';
import { formatCount, formatTenths } from '../text/numberFormat';

/** The result of an expectation of a series: one finding per node concerned. */
export function judgeThreshold(judged: Judged, threshold: SeriesThreshold, limits: readonly TesterLimit[]): Finding[] {
  const { node: name } = threshold;
  const { nodes } = judged.view;
  if (name !== undefined) {
    const node = nodes.find((node) => node.name === name || node.id === name || planNodeName(node) === name);
    const values = node && valuesOf(judged, node, threshold);
    return [
      node && values && values.timeMs.length > 0
        ? judgeNode(judged, threshold, node, values, limits)
        : missing(judged, threshold, name),
    ];
  }
  const judgedOf = (subjects: readonly Subject[]): Finding[] =>
    subjects.flatMap((subject) => {
      const values = afterGrace(judged, threshold, judgedValues(judged, subject.id, threshold.series));
      return values.timeMs.length > 0 ? [judgeNode(judged, threshold, subject, values, limits)] : [];
    });
  // Percentiles of the audience, not of each of its testers, where they were recorded.
  const ofAudiences = percentileSeriesOf(threshold.series) ? judgedOf(audiencesWithPercentiles(judged.view.plan)) : [];
  const candidates = ofAudiences.length > 0 ? ofAudiences : judgedOf(nodes);
  return candidates.length > 0 ? candidates : [missing(judged, threshold, undefined)];
}

/** Figures of a host may be recorded under the name of another node on it. */
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
  const isJudged = timeMs.map((ms) => ms >= time.fromMs + graceMs);
  return { timeMs: timeMs.filter((_, i) => isJudged[i]), value: value.filter((_, i) => isJudged[i]) };
}

/** A node, or an audience in place of one. */
type Subject = NodeView | NamedAudience;

function judgeNode(
  judged: Judged,
  threshold: SeriesThreshold,
  subject: Subject,
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
  const node = 'role' in subject ? subject : undefined;
  const title = `${titleOf(threshold)} of ${subject.name}`;
  const peak = describeAmount(series, value[worst] ?? 0);
  const extreme = `${comparison === '<=' ? 'max' : 'min'} ${peak}`;
  const limit = `limit ${describeAmount(series, threshold.value)}`;
  const allowed = tolerancePercent > 0 ? `, tolerance ${tolerancePercent} %` : '';
  const share = `${formatCount(bad.length)} of ${formatCount(seconds)} s beyond it (${formatTenths(percent)} %${allowed})`;
  const further = `, reaching ${peak}${worst === firstBad ? '' : ` at ${at(judged, timeMs[worst] ?? 0)}`}`;
  return {
    result: isMissed ? 'failed' : 'met',
    series,
    sentence: isMissed
      ? `${title} ${comparison === '<=' ? 'exceeded' : 'fell below'} its limit of ${describeAmount(series, threshold.value)} at ${at(judged, timeMs[firstBad] ?? 0)}${further}: ${share}.`
      : `${title}: ${extreme}, ${limit}${bad.length > 0 ? `; ${share}` : ''}.`,
    expected: expectedOf(threshold),
    timeMs: timeMs[isMissed ? firstBad : worst] ?? judged.time.fromMs,
    ...(node ? { node: node.id } : { audience: subject.name }),
    measured: value[worst] ?? 0,
    invalidatedBy: isMissed
      ? influencesOfMisses(
          judged,
          threshold,
          { node, pull: 'pull' in subject ? subject.pull : undefined },
          bad.map((place) => ({ timeMs: timeMs[place] ?? 0, value: value[place] ?? 0 })),
          seconds,
          limits,
        )
      : [],
  };
}

const displayed = 'glassToGlassMs';

/** A node, or an audience. */
interface Judgeable {
  readonly node: NodeView | undefined;
  readonly pull: Audience | undefined;
}

/** Busy hosts, limits of testers and publishers at the seconds that missed; none if too many of these had neither. */
export function influencesOfMisses(
  judged: Judged,
  threshold: SeriesThreshold,
  { node, pull }: Judgeable,
  misses: ReadonlyArray<{ readonly timeMs: number; readonly value: number }>,
  seconds: number,
  limits: readonly TesterLimit[],
): Influence[] {
  const { series, tolerancePercent = 0 } = threshold;
  // Displayed frames are recorded under their origin.
  const own = node && (node.role === 'tester' || percentileSeriesOf(series)?.distribution !== displayed);
  const testers =
    isFigureOfViewers(series) && isAffectable(threshold) ? (own ? [node.id] : judged.testers.map(({ id }) => id)) : [];
  const judgements = misses.map((miss) => {
    const busy = busyForMiss(judged, threshold, node, miss, pull);
    const ownLimits = limits.filter((limit) => testers.some((id) => isLimited([limit], id, miss.timeMs, miss.timeMs)));
    return [...(busy ? [busy] : []), ...firstOfEach(ownLimits)];
  });
  const certain = judgements.filter((influences) => influences.length === 0).length;
  return (100 * certain) / seconds > tolerancePercent ? [] : judgements.flat();
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
        ? `${titleOf(threshold)}${of} was not judged: the run ended within the grace period of ${formatTenths(graceMs / 1000)} s.`
        : `${titleOf(threshold)}${of} was not measured.`,
    expected: expectedOf(threshold),
    timeMs: fromMs,
  };
}

function titleOf({ series }: SeriesThreshold): string {
  return seriesDefinition(series)?.title ?? series;
}

/** The expectation, as stated in a reason of the verdict. */
export function expectedOf({ series, comparison, value, tolerancePercent = 0 }: SeriesThreshold): string {
  const tolerance = tolerancePercent > 0 ? `, tolerance ${tolerancePercent} % of the time` : '';
  return `expected ${comparison} ${describeAmount(series, value)}${tolerance}`;
}

/** The plan's stop condition that ended the run, as a finding. */
export function judgeStopCondition(
  judged: Judged,
  reached: StopReached | undefined,
  limits: readonly TesterLimit[],
): Finding[] {
  if (!reached) return [];
  const { isOfViewers = false, limit, value: _, ...finding } = reached;
  const { timeMs } = reached;
  const invalidatedBy = isOfViewers
    ? judged.testers.flatMap(({ id }) => influencesOfViewers(judged, id, timeMs - (limit?.forMs ?? 0), timeMs, limits))
    : busyAt(judged, reached);
  return [{ result: 'failed', ...finding, ...(invalidatedBy.length > 0 ? { invalidatedBy } : {}) }];
}

/** The busy machine that caused the condition. */
function busyAt(judged: Judged, reached: StopReached): readonly Influence[] {
  const { timeMs, limit, value, expectation, series, node: name } = reached;
  const node = judged.view.nodes.find(({ id }) => id === name);
  const what = expectation === 'cpu' ? 'cpuPercent' : series;
  if (!node || !limit || value === undefined || what === undefined) return [];
  const { comparison } = limit;
  const busy = busyForMiss(judged, { series: what, comparison, value: limit.value }, node, { timeMs, value });
  return busy ? [busy] : [];
}
