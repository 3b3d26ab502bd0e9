import type { Influence, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import { isTesterOf } from '../model/audience';
import type { NodeView } from '../model/node';
import { maxListedOutages, type Amounts, type Outage, type OutageCause, type Outages } from '../model/outages';
import { defaultExpectations, type Audience } from '../model/plan';
import type { PublisherOutage } from '../model/publisherOutage';
import type { TesterLimit } from '../model/run';
import { allAudiences, severalAudiences } from '../plan/audiences';
import type { Values } from '../series/windows';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerEffects';
import { busyForViewers } from './busyHosts';
import {
  findOutages,
  lengthOf,
  mergedIntervals,
  type FoundOutages,
  type HeldSize,
  type TimeInterval,
} from './findOutages';
import { isLostByOrigin, isOfOriginOutage } from './originOutages';
import {
  affectedViewers,
  isRecovering,
  losesViewers,
  publisherInfluence,
  publisherOutagesOf,
  recoveredMs,
} from './publishers';
import { heldLevels } from './verdictLevels';
import { endOfHoldMs } from './verdictRules';

/** An outage with what excuses it. */
export interface JudgedOutage extends Outage {
  readonly influences: readonly Influence[];
  /** The part of its length that nothing explains. */
  readonly ownMs: number;
}

/** The outages of one audience. */
export interface AudienceOutages {
  readonly id: string;
  /** In a run with several. */
  readonly name?: string;
  readonly pull: Audience;
  readonly testers: readonly NodeView[];
  readonly outages: readonly JudgedOutage[];
  readonly gaps: readonly TimeInterval[];
  readonly heldMs: number;
  readonly reconnections: number;
}

/** A machine or a tester that is busy later than this after its start has not caused an outage. */
const causeWithinMs = 5000;
/** A tester that has ended shows by the end of its data; the samples of an audience may be from shortly before. */
export const lostTesterMs = 15_000;

/** Publications of several testers that end within this time have ended at their server. */
const togetherMs = 2000;

/**
 * Marks publishers that ended because their server dropped everything: it was gone, viewers of other streams were lost
 * at the same time, or publications of another tester ended.
 */
export function withLostServers(judged: Judged): Judged {
  const { publisherOutages = [], plan } = judged.view;
  if (publisherOutages.length === 0) return judged;
  const several = severalAudiences(plan).map(({ id, pull }) => {
    const values = [judgedValues(judged, id, 'viewersConnected')];
    return { pull, outages: outagesFound(judged, { id, pull, isOne: false, sources: [id], values }).outages };
  });
  const marked = publisherOutages.map((outage): PublisherOutage => {
    const others = several.filter(
      ({ pull }) => pull.from === outage.node && publisherOutagesOf(judged, pull).length === 0,
    );
    const isShared =
      isOfOriginOutage(judged, outage) ||
      others.some(({ outages }) =>
        outages.some(({ fromMs }) => losesViewers({ ...outage, toMs: outage.fromMs }, fromMs)),
      ) ||
      publisherOutages.some(
        ({ node, by, fromMs }) =>
          node === outage.node && by !== outage.by && Math.abs(fromMs - outage.fromMs) <= togetherMs,
      );
    return isShared ? { ...outage, isOriginLost: true } : outage;
  });
  return { ...judged, view: { ...judged.view, publisherOutages: marked } };
}

/** The outages of each audience of a run. */
export function outagesOfAudiences(judged: Judged, limits: readonly TesterLimit[]): readonly AudienceOutages[] {
  const several = severalAudiences(judged.view.plan);
  return allAudiences(judged.view.plan).map(({ id, name, pull }) => {
    const isOne = several.length === 0;
    const testers = judged.testers.filter((node) => isOne || isTesterOf(pull, node));
    const sources = isOne ? testers.map((node) => node.id) : [id];
    const values = sources.map((source) => judgedValues(judged, source, 'viewersConnected'));
    const { outages, gaps, heldMs } = outagesFound(judged, { id, pull, isOne, sources, values });
    return {
      id,
      ...(isOne ? {} : { name }),
      ...{ pull, testers, gaps, heldMs },
      outages: outages.map((each) => {
        const outage = isOne ? each : { ...each, audience: name };
        return withCause(judged, outage, { pull, testers, limits, isOne });
      }),
      reconnections: sources.reduce((sum, source) => sum + increase(judged.values(source, 'reconnectsTotal')), 0),
    };
  });
}

/** How much a counter grew, which begins again at 0 where its agent was restarted. */
function increase({ value }: Values): number {
  return value.reduce((sum, reading, i) => {
    const before = value[i - 1] ?? 0;
    return sum + (reading >= before ? reading - before : reading);
  }, 0);
}

interface Subject {
  readonly id: string;
  readonly pull: Audience;
  /** The only audience: its figures are those of the testers. */
  readonly isOne: boolean;
  readonly sources: readonly string[];
  readonly values: readonly Values[];
}

function outagesFound(judged: Judged, subject: Subject): FoundOutages {
  const { view, stoppedMs = Infinity } = judged;
  const { connected = defaultExpectations.connected } = view.plan.expect;
  // A size above which too many are connected demands none.
  const percent = connected.comparison === '>=' ? connected.value : 0;
  const holds = holdsOf(judged, subject).map((hold) => ({ ...hold, toMs: Math.min(hold.toMs, stoppedMs) }));
  return findOutages(subject.values, holds, percent);
}

/** The intervals in which a size of an audience was held. A search exceeds what its server can serve on purpose. */
function holdsOf(judged: Judged, { id, pull, isOne, sources }: Subject): HeldSize[] {
  const { time, audienceStarts = {}, audienceEnds = {} } = judged;
  const { stages, search, watchFor, viewers: planned } = pull;
  if (search) return [];
  if (stages)
    return heldLevels(judged, sources, pull).map(({ fromMs, toMs, requested, churnMs }) => ({
      ...{ fromMs, toMs, requested, rampFromMs: fromMs, beginsWhenMet: true },
      ...(churnMs > 0 ? { plannedDipMs: Math.max(churnMs, endOfHoldMs) } : {}),
    }));
  const fromMs = isOne ? time.holdFromMs : (audienceStarts[id] ?? time.holdFromMs);
  const toMs = isOne ? time.toMs : audienceEnds[id];
  if (fromMs === undefined || toMs === undefined) return [];
  const requested = isOne ? judged.view.figures.requested : planned;
  return [{ fromMs, toMs, requested, rampFromMs: time.fromMs, ...(watchFor ? { plannedDipMs: endOfHoldMs } : {}) }];
}

interface CauseInput {
  readonly pull: Audience;
  readonly testers: readonly NodeView[];
  readonly limits: readonly TesterLimit[];
  readonly isOne: boolean;
}

function withCause(judged: Judged, outage: Outage, input: CauseInput): JudgedOutage {
  const { fromMs, toMs, requested, lowest } = outage;
  const lengthMs = toMs - fromMs;
  const of = (causedBy: OutageCause, influences: readonly Influence[], ownMs = 0): JudgedOutage => ({
    ...outage,
    causedBy,
    influences,
    ownMs,
  });
  const { pull, testers, limits } = input;
  const names = testers.map(({ id }) => id);
  const lost = (judged.lostTesters ?? []).some(
    ({ node, timeMs }) => names.includes(node) && fromMs >= timeMs - lostTesterMs,
  );
  // No publisher, tester or machine excuses viewers whose server was gone.
  if (!lost && isLostByOrigin(judged, pull, fromMs)) return { ...outage, influences: [], ownMs: lengthMs };
  const away = publisherOutagesOf(judged, pull).filter((outage) =>
    pull.reconnect ? isRecovering(outage, fromMs) : losesViewers(outage, fromMs),
  );
  const explained = away.reduce((sum, outage) => sum + affectedViewers(outage, requested), 0);
  if (away.length > 0 && requested - lowest <= explained) {
    // Viewers that don't connect again stay lost; the others have to be back in time.
    const lastMs = pull.reconnect ? Math.max(...away.map(recoveredMs)) : Infinity;
    const ownMs = Math.max(0, toMs - lastMs);
    return of(
      'publisher',
      away.map((outage) => publisherInfluence(judged, outage)),
      ownMs,
    );
  }
  if (lost) return of('tester-lost', []);
  const causesMs = Math.min(toMs, fromMs + causeWithinMs);
  const limited = limits.filter(({ node }) => names.includes(node) && isLimited(limits, node, fromMs, causesMs));
  if (limited.length > 0 && !isMissedBySound(judged, outage, limited, input)) return of('tester', firstOfEach(limited));
  const busy = busyForViewers(judged, fromMs, causesMs, { testers });
  if (busy.length > 0) return of('machine', busy);
  return { ...outage, influences: [], ownMs: lengthMs };
}

/** Whether testers that were not at their limit lost too many of their viewers too. Not known per audience. */
function isMissedBySound(
  judged: Judged,
  { fromMs, toMs }: Outage,
  limited: readonly TesterLimit[],
  { testers, isOne, pull }: CauseInput,
): boolean {
  const sound = testers.filter(({ id }) => !limited.some(({ node }) => node === id));
  if (!isOne || sound.length === 0 || pull.stages) return false;
  const sources = sound.map(({ id }) => id);
  const requested = sources
    .map((id) =>
      judgedValues(judged, id, 'viewersRequested').value.reduce((most, reading) => Math.max(most, reading), 0),
    )
    .reduce((sum, reading) => sum + reading, 0);
  const { connected = defaultExpectations.connected } = judged.view.plan.expect;
  const values = sources.map((id) => judgedValues(judged, id, 'viewersConnected'));
  const hold = { fromMs, toMs, requested, rampFromMs: judged.time.fromMs };
  return findOutages(values, [hold], connected.value).outages.length > 0;
}

/** All audiences together, as saved with the verdict. */
export function outagesOfRun(all: readonly AudienceOutages[]): Outages {
  const listed = all.flatMap(({ outages }) =>
    outages.map(({ influences: _, ownMs: __, ...outage }) => rounded(outage)),
  );
  const gaps = all.flatMap(({ name, gaps: own }) =>
    own.map((gap) => rounded({ ...(name === undefined ? {} : { audience: name }), ...gap })),
  );
  const worst = [...listed].sort((a, b) => shareOf(a) - shareOf(b) || lengthMs(b) - lengthMs(a))[0];
  return {
    ...amountsOf(listed),
    heldMs: Math.round(all.reduce((sum, { heldMs }) => sum + heldMs, 0)),
    ...(worst ? { worst } : {}),
    list: longest(listed),
    reconnections: all.reduce((sum, { reconnections }) => sum + reconnections, 0),
    gaps: { ...amountsOf(gaps), list: longest(gaps) },
    ...(all.length > 1
      ? {
          audiences: all.map(({ name = '', outages, reconnections }) => ({
            ...{ name, ...amountsOf(outages), reconnections },
          })),
        }
      : {}),
  };
}

export const shareOf = ({ lowest, requested }: Outage): number => lowest / Math.max(1, requested);
export const lengthMs = ({ fromMs, toMs }: TimeInterval): number => toMs - fromMs;

function rounded<T extends TimeInterval>(interval: T): T {
  return { ...interval, fromMs: Math.round(interval.fromMs), toMs: Math.round(interval.toMs) };
}

/** Intervals of several audiences that overlap are one. */
function amountsOf(all: readonly TimeInterval[]): Amounts {
  const merged = mergedIntervals(all);
  return {
    count: merged.length,
    sumMs: Math.round(lengthOf(merged)),
    longestMs: Math.round(merged.reduce((most, interval) => Math.max(most, lengthMs(interval)), 0)),
  };
}

function longest<T extends TimeInterval>(all: readonly T[]): T[] {
  const longest = [...all].sort((a, b) => lengthMs(b) - lengthMs(a)).slice(0, maxListedOutages);
  return longest.sort((a, b) => a.fromMs - b.fromMs);
}
