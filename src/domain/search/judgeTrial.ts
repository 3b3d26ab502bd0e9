import { formatFigure } from '../numberFormat';
import { isLimited } from '../tester/testerLimit';
import type { NodeView } from '../node';
import type { TrialFinding } from './trialFindings';
import {
  findConnected,
  findCpu,
  findDegraded,
  findGcPause,
  findThreshold,
  isRefusedByServer,
} from './trialFindings';
import type { TrialJudgement } from './trialJudgement';
import { testersOf, type TrialSeen } from './trialSeen';

/**
 * One look at one size, judged by what the plan expects, over the watched time as a whole. What viewers missed while a tester was at its own
 * limit says nothing of the origin, unless testers that were not saw it too, or the origin itself said no.
 */
export function judgeTrial(seen: TrialSeen): TrialJudgement {
  const all = testersOf(seen);
  const findings = findingsOf(seen, all);
  const missed = findings.filter(({ result }) => result === 'missed');
  const nearness = Math.max(0, ...findings.map((each) => each.nearness));
  const sound = all.filter(({ id }) => !isLimited(seen.testerLimits, id, seen.fromMs, seen.toMs));
  const byOrigin = missed.filter(({ spoiltBy }) => spoiltBy === undefined);
  const certain = sound.length === all.length ? byOrigin : certainOf(seen, byOrigin, sound);
  // The clearest of them tells: what is far beyond its bound and was so all the time.
  const [told] = [...certain].sort(
    (a, b) => Number(a.isClose === true) - Number(b.isClose === true) || b.nearness - a.nearness,
  );
  if (told)
    return {
      result: 'missed',
      sentence: told.sentence,
      nearness,
      isClose: certain.every((each) => each.isClose === true),
    };
  // Another look may find the machine quiet; one that stays busy bounds nothing.
  const busy = missed.find(({ spoiltBy }) => spoiltBy !== undefined)?.spoiltBy;
  if (busy) return { result: 'unknown', sentence: busy.sentence, busyNode: busy.node };
  if (missed.length > 0) {
    const limit = seen.testerLimits.find(({ node }) =>
      isLimited(seen.testerLimits, node, seen.fromMs, seen.toMs),
    );
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
    sentence: `${formatFigure(seen.viewers, 'integer')} held: ${words.length > 0 ? words.join(', ') : 'all that was expected was met'}.`,
    nearness,
    isClose: findings.some((each) => each.isClose === true),
  };
}

function findingsOf(seen: TrialSeen, testers: readonly NodeView[]): TrialFinding[] {
  const { expect, thresholds = [] } = seen.plan;
  return [
    expect.connected && findConnected(seen, expect.connected, testers),
    expect.degraded && findDegraded(seen, expect.degraded, testers),
    expect.cpu && findCpu(seen, expect.cpu),
    expect.gcPause && findGcPause(seen, expect.gcPause),
    ...thresholds.flatMap((threshold) =>
      seen.nodes
        .filter(
          ({ id, name }) => threshold.node === undefined || threshold.node === name || threshold.node === id,
        )
        .map((node) => findThreshold(seen, threshold, node)),
    ),
  ]
    .filter((finding) => finding !== undefined)
    .filter(({ result, isOfThumb }) => !(result === 'missing' && isOfThumb));
}

/** What stays of the misses without the testers that were at their own limit. */
function certainOf(
  seen: TrialSeen,
  missed: readonly TrialFinding[],
  sound: readonly NodeView[],
): TrialFinding[] {
  const { expect } = seen.plan;
  const own = missed.filter(({ isOfViewers }) => isOfViewers !== true);
  const witnessed =
    sound.length === 0
      ? []
      : [
          expect.connected && findConnected(seen, expect.connected, sound),
          expect.degraded && findDegraded(seen, expect.degraded, sound),
        ].filter((finding) => finding !== undefined && finding.result === 'missed');
  const refused =
    expect.connected && isRefusedByServer(seen) ? findConnected(seen, expect.connected) : undefined;
  return [
    ...own,
    ...witnessed.flatMap((finding) => (finding && finding.spoiltBy === undefined ? [finding] : [])),
    ...(refused?.result === 'missed' ? [refused] : []),
  ];
}
