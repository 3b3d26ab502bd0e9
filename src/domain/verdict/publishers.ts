import type { Finding, Influence, Judged } from '../evidence/evidence';
import { isTesterOf } from '../model/audience';
import { audiencesOf } from '../model/distribution';
import type { Audience } from '../model/plan';
import type { PublisherOutage } from '../model/publisherOutage';
import { numberedName } from '../plan/pullRules';
import { formatCount } from '../text/numberFormat';
import { formatDuration, formatRunTime } from '../text/timeFormat';

/** An agent counts a viewer as lost after this time without media; its report may be a second older. */
export const lostAfterMs = 11_000;
/** Time until viewers are back: the longest wait before one tries to connect again (8 s), and its connection. */
export const recoveryMs = 20_000;

const expected = 'expected to be published until the end';

/** What viewers of the plan's streams missed because of their publishers, unless the server was gone too. */
function ownOutages({ view }: Judged): readonly PublisherOutage[] {
  return (view.publisherOutages ?? []).filter(({ isOriginLost }) => !isOriginLost);
}

/** Intervals without a publisher of the streams of an audience. */
export function publisherOutagesOf(judged: Judged, pull: Audience): readonly PublisherOutage[] {
  return ownOutages(judged).filter((outage) => isPulledBy(pull, outage));
}

function isPulledBy({ from, stream, streams }: Audience, outage: PublisherOutage): boolean {
  if (from !== outage.node) return false;
  if (stream === outage.stream) return true;
  const isOneOf = (name: string, numbered: string, most: number): boolean =>
    Array.from({ length: most }, (_, index) => numberedName(numbered, index + 1)).includes(name);
  return isOneOf(outage.stream, stream, streams ?? 0) || isOneOf(stream, outage.stream, outage.publishers?.of ?? 0);
}

/** Whether viewers may have been lost at this time because their stream had no publisher. */
export const losesViewers = ({ fromMs, toMs = Infinity }: PublisherOutage, timeMs: number): boolean =>
  timeMs >= fromMs - 1000 && timeMs <= toMs + lostAfterMs;

/** Whether viewers that connect again may still be missing at this time. */
export const isRecovering = (outage: PublisherOutage, timeMs: number): boolean =>
  timeMs >= outage.fromMs - 1000 && timeMs <= recoveredMs(outage);

/** When viewers that connect again are back. */
export const recoveredMs = ({ toMs = Infinity }: PublisherOutage): number => toMs + recoveryMs;

/** The viewers of the publishers that ended: those of others are not affected. */
export const affectedViewers = ({ publishers }: PublisherOutage, viewers: number): number =>
  publishers && publishers.of > 0 ? Math.ceil((viewers * publishers.lost) / publishers.of) : viewers;

/** Publishers whose absence affected figures of an audience over an interval. */
export function publishersIn(judged: Judged, fromMs: number, toMs: number, pull: Audience): Influence[] {
  return publisherOutagesOf(judged, pull)
    .filter((outage) => outage.fromMs <= toMs && recoveredMs(outage) >= fromMs)
    .map((outage) => publisherInfluence(judged, outage));
}

/** Whose figures a publisher may have affected: of one audience, of those of a tester, or of all. */
interface Affected {
  readonly pull?: Audience | undefined;
  readonly tester?: string;
}

/** The publishers of several audiences: none if one audience was unaffected, since its figures prove something. */
export function publishersForViewers(
  judged: Judged,
  fromMs: number,
  toMs: number,
  { pull, tester }: Affected = {},
): Influence[] {
  const isOfTester = (audience: Audience): boolean => {
    if (tester === undefined) return true;
    const name = judged.testers.find(({ id }) => id === tester)?.name ?? tester;
    return isTesterOf(audience, { id: tester, name });
  };
  const pulls = pull ? [pull] : audiencesOf(judged.view.plan).filter(isOfTester);
  const all = pulls.map((pull) => publishersIn(judged, fromMs, toMs, pull));
  return all.every((values) => values.length > 0) ? all.flat() : [];
}

export function publisherInfluence(judged: Judged, outage: PublisherOutage): Influence {
  const { by, fromMs } = outage;
  return { cause: 'publisher', sentence: sentenceOf(judged, outage), expected, timeMs: fromMs, node: by };
}

function sentenceOf({ time }: Judged, { stream, node, by, fromMs, toMs, publishers, reason }: PublisherOutage): string {
  const atTime = formatRunTime(fromMs - time.runStartMs);
  const what =
    publishers === undefined
      ? `The publication of ${stream} to ${node} by ${by}`
      : `${formatCount(publishers.lost)} of ${formatCount(publishers.of)} publications of ${stream} to ${node} by ${by}`;
  const was = publishers === undefined ? 'was' : 'were';
  const when =
    toMs === undefined
      ? `ended at ${atTime} and ${was} not published again`
      : `${was} interrupted at ${atTime} for ${formatDuration(toMs - fromMs)}`;
  return `${what} ${when}: ${reason}`;
}

/** Publishers that ended: one that was not published again keeps the run from a result; the others are notes. */
export function judgePublishers(judged: Judged): Finding[] {
  const { lostTesters = [], time } = judged;
  return ownOutages(judged)
    .filter(({ fromMs, by }) => fromMs < time.toMs && !lostTesters.some(({ node }) => node === by))
    .map((outage): Finding => {
      const influence = publisherInfluence(judged, outage);
      const { sentence, timeMs, node } = influence;
      const finding = { sentence, expected, timeMs, node };
      return outage.toMs === undefined
        ? { ...finding, result: 'failed', invalidatedBy: [influence] }
        : { ...finding, result: 'inapplicable' };
    });
}
