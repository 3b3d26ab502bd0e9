import type { Finding, Judged, OriginOutage } from '../evidence/evidence';
import { isTesterOf } from '../model/audience';
import { audiencesOf } from '../model/distribution';
import type { Outage } from '../model/outages';
import type { Audience } from '../model/plan';
import type { PublisherOutage } from '../model/publisherOutage';
import { seriesDefinition } from '../series/series';
import { lostAfterMs, recoveryMs } from './publishers';

/** An origin is polled once a second: it may be gone for as long before it is noticed. */
const noticedAfterMs = 2000;
/** ICE consent ends 30 s after the last response; a server that is back does not know the session. */
const consentMs = 35_000;

const beginsMs = ({ fromMs }: OriginOutage): number => fromMs - noticedAfterMs;
const losesUntilMs = ({ fromMs, toMs }: OriginOutage): number => Math.max(toMs + lostAfterMs, fromMs + consentMs);

/** Whether a publication ended with its server: while it was gone, or when its tester noticed later. */
export function isOfOriginOutage({ originOutages = [], view }: Judged, outage: PublisherOutage): boolean {
  const isDuring = ({ node, fromMs, toMs = Infinity }: PublisherOutage, origin: OriginOutage): boolean =>
    node === origin.node && fromMs <= origin.toMs && toMs >= beginsMs(origin);
  const isSame = ({ node, stream, by }: PublisherOutage): boolean =>
    node === outage.node && stream === outage.stream && by === outage.by;
  return originOutages.some((origin) => {
    if (isDuring(outage, origin)) return true;
    const isNoticed = outage.fromMs >= beginsMs(origin) && outage.fromMs <= losesUntilMs(origin);
    // One that was published again meanwhile has ended for a reason of its own.
    const isKnown = (view.publisherOutages ?? []).some((outage) => isSame(outage) && isDuring(outage, origin));
    return origin.node === outage.node && isNoticed && !isKnown;
  });
}

/** Until when viewers may be missing because of it: those that reconnect need their publisher first. */
function missesUntilMs({ view }: Judged, outage: OriginOutage, pull: Audience): number {
  if (!pull.reconnect) return losesUntilMs(outage);
  const published = (view.publisherOutages ?? [])
    .filter(
      ({ isOriginLost, node: of, fromMs }) => isOriginLost && of === outage.node && fromMs <= losesUntilMs(outage),
    )
    .map(({ toMs = Infinity }) => toMs);
  return Math.max(losesUntilMs(outage), Math.max(outage.toMs, ...published) + recoveryMs);
}

/** Whether viewers that are lost or missing at this time are so because their origin was gone. */
export function isLostByOrigin(judged: Judged, pull: Audience, timeMs: number): boolean {
  return (judged.originOutages ?? []).some(
    (outage) =>
      outage.node === pull.from && timeMs >= beginsMs(outage) && timeMs <= missesUntilMs(judged, outage, pull),
  );
}

/** Whether all that a tester pulls was affected over an interval because its origins were gone. */
export function areOriginsGone(judged: Judged, tester: string, fromMs: number, toMs: number): boolean {
  const { originOutages = [], view } = judged;
  const name = view.nodes.find(({ id }) => id === tester)?.name ?? tester;
  const pulls = audiencesOf(view.plan).filter((pull) => isTesterOf(pull, { id: tester, name }));
  const isGone = ({ from }: Audience): boolean =>
    originOutages.some(
      (outage) => outage.node === from && beginsMs(outage) <= toMs && outage.toMs + lostAfterMs >= fromMs,
    );
  return pulls.length > 0 && pulls.every(isGone);
}

/** The outages of one audience; its name in a run with several. */
interface OutagesOf {
  readonly name?: string;
  readonly pull: Audience;
  readonly outages: readonly Outage[];
}

/** The intervals that caused a missed expectation; the others are notes. */
export function decidingOutages(
  judged: Judged,
  findings: readonly Finding[],
  audiences: readonly OutagesOf[],
): readonly OriginOutage[] {
  const missed = findings.filter(({ result, invalidatedBy = [] }) => result === 'failed' && invalidatedBy.length === 0);
  const isOf = (outage: OriginOutage, timeMs: number, pull: Audience): boolean =>
    isLostByOrigin({ ...judged, originOutages: [outage] }, pull, timeMs);
  return (judged.originOutages ?? []).filter((outage) =>
    missed.some((finding) => {
      if (!isOfViewers(finding)) return false;
      const ownAudiences = audiences.filter(({ name }) => finding.audience === undefined || finding.audience === name);
      const isOfOutages = finding.expectation === 'connected' || finding.expectation === 'outages';
      return ownAudiences.some(
        ({ pull, outages }) =>
          isOf(outage, finding.timeMs, pull) ||
          (isOfOutages && outages.some(({ fromMs }) => isOf(outage, fromMs, pull))),
      );
    }),
  );
}

function isOfViewers({ expectation, series }: Finding): boolean {
  if (series !== undefined) return seriesDefinition(series)?.source === 'audience';
  return expectation === 'connected' || expectation === 'outages' || expectation === 'degraded';
}
