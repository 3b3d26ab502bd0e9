import { formatFigure } from '../text/numberFormat';
import { isLimited } from '../tester/testerLimit';
import type { NodeView } from '../model/node';
import type { DelayExpectation, SeriesThreshold } from '../model/plan';
import { audiencesWithPercentiles, type NamedAudience } from '../plan/audiences';
import { publishesOnly } from '../model/publisherGroup';
import { describeDelay } from '../plan/delayText';
import { delaySeries, runDelayMethods } from '../run/runDelay';
import { isOfEvents, percentileSeriesOf } from '../series/distributions';
import { seriesDefinition } from '../series/series';
import {
  findConnected,
  findCpu,
  findDegraded,
  findGcPause,
  findThreshold,
  isRefusedByServer,
  type TrialFinding,
} from './trialFindings';
import type { TrialJudgement } from './trialJudgement';
import { testersOf, type TrialInput } from './trialInput';

/**
 * One trial of one size, judged by the plan's expectations over the entire measured interval. What viewers missed while
 * a tester was at its own limit proves nothing about the origin, unless other testers measured it too, or the origin
 * refused.
 */
export function judgeTrial(input: TrialInput): TrialJudgement {
  if (input.orderFault !== undefined) return { result: 'tester-limited', sentence: input.orderFault };
  const all = testersOf(input);
  const findings = findingsOf(input, all);
  const missed = findings.filter(({ result }) => result === 'missed');
  const nearness = Math.max(0, ...findings.map((finding) => finding.nearness));
  const sound = all.filter(({ id }) => !isLimited(input.testerLimits, id, input.fromMs, input.toMs));
  const byOrigin = missed.filter(({ invalidatedBy }) => invalidatedBy === undefined);
  const certain = sound.length === all.length ? byOrigin : certainOf(input, byOrigin, sound);
  // The clearest of them is reported: far beyond its limit, all the time.
  const [decisive] = [...certain].sort(
    (a, b) => Number(a.isClose === true) - Number(b.isClose === true) || b.nearness - a.nearness,
  );
  if (decisive)
    return {
      result: 'missed',
      sentence: decisive.sentence,
      nearness,
      isClose: certain.every((finding) => finding.isClose === true),
    };
  // Another trial may find the machine idle; one that stays busy proves nothing.
  const busy = missed.find(({ invalidatedBy }) => invalidatedBy !== undefined)?.invalidatedBy;
  if (busy) return { result: 'unknown', sentence: busy.sentence, busyNode: busy.node };
  if (missed.length > 0) {
    const limit = input.testerLimits.find(({ node }) => isLimited(input.testerLimits, node, input.fromMs, input.toMs));
    return {
      result: 'tester-limited',
      sentence: limit?.sentence ?? 'A tester was at its own limit.',
      nearness,
    };
  }
  const lacking = findings.find(({ result }) => result === 'missing');
  if (lacking) return { result: 'unknown', sentence: lacking.sentence };
  const words = findings.flatMap((finding) => finding.words ?? []);
  return {
    result: 'met',
    sentence: `${formatFigure(input.viewers, 'integer')} passed: ${words.length > 0 ? words.join(', ') : 'all expectations met'}.`,
    nearness,
    isClose: findings.some((finding) => finding.isClose === true),
  };
}

function findingsOf(input: TrialInput, testers: readonly NodeView[]): TrialFinding[] {
  const { expect, thresholds = [], delay = [] } = input.plan;
  return [
    expect.connected && findConnected(input, expect.connected, testers),
    expect.degraded && !publishesOnly(input.plan) && findDegraded(input, expect.degraded, testers),
    expect.cpu && findCpu(input, expect.cpu),
    expect.gcPause && findGcPause(input, expect.gcPause),
    ...thresholds.flatMap((threshold) => thresholdFindings(input, threshold)),
    ...delay.flatMap((each) => {
      const threshold = delayThreshold(input, each);
      return threshold ? thresholdFindings(input, threshold) : [notMeasured(`The delay (${describeDelay(each)})`)];
    }),
  ]
    .filter((finding) => finding !== undefined && finding !== false)
    .filter(({ result, isOfThumb }) => !(result === 'missing' && isOfThumb));
}

/**
 * Of each node or audience that has the series; a missing one if none has, since the trial then proves nothing about it:
 * but not of what happens now and then only, nor within the grace period.
 */
function thresholdFindings(input: TrialInput, threshold: SeriesThreshold): TrialFinding[] {
  const found = subjectsOf(input, threshold).flatMap((subject) => findThreshold(input, threshold, subject) ?? []);
  const { series, node, graceMs = 0 } = threshold;
  if (isOfEvents(series) || input.startedMs + graceMs >= input.toMs) return found;
  const title = seriesDefinition(series)?.title ?? series;
  return found.length > 0 ? found : [notMeasured(node === undefined ? title : `${title} of ${node}`)];
}

const notMeasured = (what: string): TrialFinding => ({
  result: 'missing',
  sentence: `${what} was not measured at this size.`,
  nearness: 0,
});

/** An expectation of the delay as one of the series of the first method that measured it in the trial: of each second. */
function delayThreshold(input: TrialInput, { stat, valueMs }: DelayExpectation): SeriesThreshold | undefined {
  const all = runDelayMethods.map(({ distribution }): SeriesThreshold => ({
    series: delaySeries(distribution, stat),
    comparison: '<=',
    value: valueMs,
  }));
  return all.find((threshold) =>
    subjectsOf(input, threshold).some(({ id }) =>
      input.values(id, threshold.series).timeMs.some((ms) => ms >= input.fromMs),
    ),
  );
}

/** The nodes that a threshold is of; for a percentile of no certain node the audiences that have it of their own. */
function subjectsOf(
  { plan, nodes, values }: TrialInput,
  { node, series }: SeriesThreshold,
): ReadonlyArray<NodeView | NamedAudience> {
  if (node !== undefined) return nodes.filter(({ id, name }) => node === name || node === id);
  const audiences = percentileSeriesOf(series) ? audiencesWithPercentiles(plan) : [];
  const measured = audiences.filter(({ id }) => values(id, series).timeMs.length > 0);
  return measured.length > 0 ? measured : nodes;
}

/** The misses that remain without the testers that were at their own limit. */
function certainOf(input: TrialInput, missed: readonly TrialFinding[], sound: readonly NodeView[]): TrialFinding[] {
  const { expect } = input.plan;
  const ofOrigin = missed.filter(({ isOfViewers }) => isOfViewers !== true);
  const confirmed =
    sound.length === 0
      ? []
      : [
          expect.connected && findConnected(input, expect.connected, sound),
          expect.degraded && findDegraded(input, expect.degraded, sound),
        ].filter((finding) => finding !== undefined && finding.result === 'missed');
  const refused = expect.connected && isRefusedByServer(input) ? findConnected(input, expect.connected) : undefined;
  return [
    ...ofOrigin,
    ...confirmed.flatMap((finding) => (finding && finding.invalidatedBy === undefined ? [finding] : [])),
    ...(refused?.result === 'missed' ? [refused] : []),
  ];
}
