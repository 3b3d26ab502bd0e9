import { formatFigure } from '../text/numberFormat';
import { isLimited } from '../tester/testerLimit';
import type { NodeView } from '../model/node';
import type { SeriesThreshold } from '../model/plan';
import { audiencesWithPercentiles, type NamedAudience } from '../plan/audiences';
import { percentileSeriesOf } from '../series/distributions';
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
export function judgeTrial(seen: TrialInput): TrialJudgement {
  const all = testersOf(seen);
  const findings = findingsOf(seen, all);
  const missed = findings.filter(({ result }) => result === 'missed');
  const nearness = Math.max(0, ...findings.map((each) => each.nearness));
  const sound = all.filter(({ id }) => !isLimited(seen.testerLimits, id, seen.fromMs, seen.toMs));
  const byOrigin = missed.filter(({ invalidatedBy }) => invalidatedBy === undefined);
  const certain = sound.length === all.length ? byOrigin : certainOf(seen, byOrigin, sound);
  // The clearest of them is reported: far beyond its limit, all the time.
  const [decisive] = [...certain].sort(
    (a, b) => Number(a.isClose === true) - Number(b.isClose === true) || b.nearness - a.nearness,
  );
  if (decisive)
    return {
      result: 'missed',
      sentence: decisive.sentence,
      nearness,
      isClose: certain.every((each) => each.isClose === true),
    };
  // Another trial may find the machine idle; one that stays busy proves nothing.
  const busy = missed.find(({ invalidatedBy }) => invalidatedBy !== undefined)?.invalidatedBy;
  if (busy) return { result: 'unknown', sentence: busy.sentence, busyNode: busy.node };
  if (missed.length > 0) {
    const limit = seen.testerLimits.find(({ node }) => isLimited(seen.testerLimits, node, seen.fromMs, seen.toMs));
    return {
      result: 'tester-limited',
      sentence: limit?.sentence ?? 'A tester was at its own limit.',
      nearness,
    };
  }
  const lacking = findings.find(({ result }) => result === 'missing');
  if (lacking) return { result: 'unknown', sentence: lacking.sentence };
  const words = findings.flatMap((each) => each.words ?? []);
  return {
    result: 'met',
    sentence: `${formatFigure(seen.viewers, 'integer')} passed: ${words.length > 0 ? words.join(', ') : 'all expectations met'}.`,
    nearness,
    isClose: findings.some((each) => each.isClose === true),
  };
}

function findingsOf(seen: TrialInput, testers: readonly NodeView[]): TrialFinding[] {
  const { expect, thresholds = [] } = seen.plan;
  return [
    expect.connected && findConnected(seen, expect.connected, testers),
    expect.degraded && findDegraded(seen, expect.degraded, testers),
    expect.cpu && findCpu(seen, expect.cpu),
    expect.gcPause && findGcPause(seen, expect.gcPause),
    ...thresholds.flatMap((threshold) =>
      subjectsOf(seen, threshold).map((subject) => findThreshold(seen, threshold, subject)),
    ),
  ]
    .filter((finding) => finding !== undefined)
    .filter(({ result, isOfThumb }) => !(result === 'missing' && isOfThumb));
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
function certainOf(seen: TrialInput, missed: readonly TrialFinding[], sound: readonly NodeView[]): TrialFinding[] {
  const { expect } = seen.plan;
  const own = missed.filter(({ isOfViewers }) => isOfViewers !== true);
  const confirmed =
    sound.length === 0
      ? []
      : [
          expect.connected && findConnected(seen, expect.connected, sound),
          expect.degraded && findDegraded(seen, expect.degraded, sound),
        ].filter((finding) => finding !== undefined && finding.result === 'missed');
  const refused = expect.connected && isRefusedByServer(seen) ? findConnected(seen, expect.connected) : undefined;
  return [
    ...own,
    ...confirmed.flatMap((finding) => (finding && finding.invalidatedBy === undefined ? [finding] : [])),
    ...(refused?.result === 'missed' ? [refused] : []),
  ];
}
