import { formatTenths, formatCount } from '../text/numberFormat';
import type { SeriesId } from '../series/series';
import { isServerCause, isTesterCause } from '../failure/attribution';
import { failedAt } from '../failure/causes';
import type { LimitLevels } from './limitLevels';
import { ofServer } from '../model/publisherGroup';
import { asSentence } from '../text/sentence';
import { traitsOf } from '../model/serverFamilies';
import type { Bottleneck, LimitResult } from '../model/limitFound';

/** From here on a resource counts as exhausted, as the mean over the trials above the break. */
const bounds = {
  /** Percent of all cores of the host. */
  cpuPercent: 90,
  /** Percent of one core, for servers with a single media thread, and for any single core. */
  oneCorePercent: 95,
  /** Percent of a budget reported by the server. */
  budgetPercent: 98,
  memoryPercent: 95,
  /** Percent of the measured capacity, and of it also if it hardly grows with the viewers any more. */
  bandwidthPercent: 90,
  sendErrorsPerSecond: 10,
  /** Loss after repair, and the maximum below the break. */
  lossPercent: 1,
  lossBeforePercent: 0.3,
  /** Below this the origin has headroom. */
  headroomCpuPercent: 85,
  /** Tolerated change of what the origin sends to each viewer; beyond, the origin itself sends less. */
  steadyShare: 0.05,
  /** Share of viewers that are not connected. */
  missingShare: 0.01,
} as const;

export type BottleneckFound = NonNullable<LimitResult['bottleneck']>;
type Rule = (levels: LimitLevels) => BottleneckFound | undefined;

function bottleneckOf({ origin, missedMs }: LimitLevels, what: Bottleneck, sentence: string): BottleneckFound {
  return { what, sentence, ...(origin ? { node: origin.id } : {}), timeMs: Math.round(missedMs) };
}

const nameOf = ({ origin }: LimitLevels): string => origin?.name ?? 'The origin';
/** The value at the size below, for sentences. */
const before = (below: number | undefined, unit: string): string =>
  below === undefined ? '' : ` (${formatTenths(below)}${unit} below the break)`;

/** The nodes that share the origin's machine, and so its CPU. */
function shared({ origin, testers }: LimitLevels): string {
  const names = testers.filter(({ host }) => host === origin?.host).map(({ name }) => name);
  return names.length > 0 ? `; same host as ${names.join(' and ')}` : '';
}

const hostCpu: Rule = (levels) => {
  const level = levels.level(levels.origin, 'cpuPercent');
  if (!level || level.above < bounds.cpuPercent) return undefined;
  if (!levels.isDriven(levels.origin, 'cpuPercent', level.above)) return undefined;
  return bottleneckOf(
    levels,
    'origin-cpu',
    `CPU of ${nameOf(levels)} was at ${formatTenths(level.above)} %${before(level.below, ' %')} with ${levels.size} at ${levels.at}${shared(levels)}.`,
  );
};

const oneCore: Rule = (levels) => {
  const { origin } = levels;
  const processCpu = levels.level(origin, 'processCpuPercent');
  if (origin && traitsOf(origin.server).isSingleThreaded && processCpu && processCpu.above >= bounds.oneCorePercent)
    return bottleneckOf(
      levels,
      'origin-cpu',
      `The process of ${origin.name} used ${formatTenths(processCpu.above)} % of the single core available to it${before(processCpu.below, ' %')} with ${levels.size} at ${levels.at}; more cores do not help.`,
    );
  const cores = Array.from({ length: origin?.machine?.cores ?? 0 }, (_, core) => {
    const series: SeriesId = `cpuCorePercent:${core}`;
    return { core, series, level: levels.level(origin, series) };
  });
  const full = cores.find(
    ({ series, level }) =>
      level && level.above >= bounds.oneCorePercent && levels.isDriven(origin, series, level.above),
  );
  if (!full?.level) return undefined;
  return bottleneckOf(
    levels,
    'origin-cpu',
    `Core ${full.core} of ${nameOf(levels)} was at ${formatTenths(full.level.above)} %${before(full.level.below, ' %')} with ${levels.size} at ${levels.at}, while others had headroom.`,
  );
};

const budget: Rule = (levels) => {
  const level = levels.level(levels.origin, 'server:cpu_budget_percent');
  if (!level || level.above < bounds.budgetPercent) return undefined;
  return bottleneckOf(
    levels,
    'origin-cpu',
    `${nameOf(levels)} reported ${formatTenths(level.above)} % of its CPU budget${before(level.below, ' %')} with ${levels.size} at ${levels.at}.`,
  );
};

/** A limit of the plan counts as the bottleneck once it is crossed, though the resource may have more. */
const expectedCpu: Rule = (levels) => {
  const bound = levels.evidence.plan.expect.cpu?.value;
  const level = levels.level(levels.origin, 'cpuPercent');
  if (bound === undefined || !level || level.above <= bound) return undefined;
  return bottleneckOf(
    levels,
    'origin-cpu',
    `CPU of ${nameOf(levels)} was at ${formatTenths(level.above)} %${before(level.below, ' %')}, over the expected ${bound} %, with ${levels.size} at ${levels.at}${shared(levels)}.`,
  );
};

const memory: Rule = (levels) => {
  const all = levels.origin?.machine?.memoryBytes;
  const level = levels.level(levels.origin, 'memoryUsedBytes');
  if (!all || !level || (100 * level.above) / all < bounds.memoryPercent) return undefined;
  if ((level.below ?? 0) >= level.above) return undefined;
  return bottleneckOf(
    levels,
    'origin-memory',
    `${formatTenths((100 * level.above) / all)} % of the memory of ${nameOf(levels)} was used with ${levels.size} at ${levels.at}.`,
  );
};

const pauses: Rule = (levels) => {
  const bound = levels.evidence.plan.expect.gcPause?.value;
  const level = levels.level(levels.origin, 'gcPauseMs', 'most');
  if (bound === undefined || !level || level.above <= bound || (level.below ?? 0) > bound) return undefined;
  return bottleneckOf(
    levels,
    'origin-gc',
    `The garbage collector paused ${nameOf(levels)} for up to ${formatTenths(level.above)} ms${before(level.below, ' ms')} with ${levels.size} at ${levels.at}.`,
  );
};

const bandwidth: Rule = (levels) => {
  const { origin } = levels;
  const capacity = origin?.capacity;
  const level = levels.level(origin, 'networkOutMbps') ?? levels.level(origin, 'originOutMbps');
  if (!level || capacity?.direction !== 'out') return undefined;
  if ((100 * level.above) / capacity.mbps < bounds.bandwidthPercent) return undefined;
  return bottleneckOf(
    levels,
    'origin-bandwidth',
    `${nameOf(levels)} sent ${formatTenths(level.above)} of the ${formatTenths(capacity.mbps)} Mbit/s measured to ${capacity.between}, with ${levels.size} at ${levels.at}.`,
  );
};

const sendErrors: Rule = (levels) => {
  const level = levels.level(levels.origin, 'udpSendBufferErrorsPerSecond');
  if (!level || level.above < bounds.sendErrorsPerSecond || (level.below ?? 0) * 5 > level.above) return undefined;
  return bottleneckOf(
    levels,
    'origin-sockets',
    `The send buffers of ${nameOf(levels)} were full for ${formatCount(level.above)} datagrams/s${before(level.below, '/s')} with ${levels.size} at ${levels.at}.`,
  );
};

/** Viewers that could not connect, by the server's response or timeout. */
const refusals: Rule = (levels) => {
  const connected = levels.audience('viewersConnected');
  const requestedViewers = levels.audience('viewersRequested');
  const targetViewers = Math.max(levels.missedViewers, requestedViewers?.above ?? 0);
  if (!connected || targetViewers - connected.above < Math.max(0.5, targetViewers * bounds.missingShare))
    return undefined;
  const groups = levels.evidence.failures.filter(({ cause, stage }) => !isTesterCause(cause) && stage !== 'media');
  const worst = groups.reduce<(typeof groups)[number] | undefined>(
    (most, group) => (most === undefined || group.count > most.count ? group : most),
    undefined,
  );
  if (!worst) return undefined;
  const got = `${formatCount(connected.above)} of ${formatCount(targetViewers)} viewers were connected at ${levels.at}`;
  if (worst.stage === 'tcp' || worst.stage === 'tls')
    return bottleneckOf(
      levels,
      'origin-sockets',
      `${nameOf(levels)} accepted no more connections: ${got}; most failed at ${failedAt(worst)}.`,
    );
  // A server without free connections accepts one more and closes it: nginx does, and so does a process out of file
  // descriptors.
  if (worst.stage === 'signalling' && worst.cause === 'closed')
    return bottleneckOf(
      levels,
      'origin-sockets',
      `${nameOf(levels)} closed new connections: ${got}; most failed at ${failedAt(worst)}. Check its limits of connections and open files.`,
    );
  if (!isServerCause(worst)) return undefined;
  return bottleneckOf(
    levels,
    'origin-refuses',
    `${nameOf(levels)} refused viewers: ${got}; most failed at ${failedAt(worst)}.`,
  );
};

/** Publishers that the server refused, or whose connections it closed. */
const refusedPublishers: Rule = (levels) => {
  const live = levels.audience('publishersLive');
  const [worst] = [...ofServer(levels.evidence.problems ?? [])].sort((a, b) => b.count - a.count);
  if (!live || !worst || live.above > levels.missedViewers * (1 - bounds.missingShare)) return undefined;
  const got = `${formatCount(live.above)} of ${levels.size} were connected at ${levels.at}`;
  const isClosed = /closed|reset/i.test(worst.sentence);
  const what = isClosed ? 'closed connections of' : 'refused';
  const check = isClosed ? ' Check its limits of connections and open files.' : '';
  return bottleneckOf(
    levels,
    isClosed ? 'origin-sockets' : 'origin-refuses',
    `${nameOf(levels)} ${what} publishers: ${got}; most failed: ${asSentence(worst.sentence, Object.keys(levels.evidence.plan.nodes))}${check}`,
  );
};

/** What the origin sends to each viewer; undefined if unknown. */
function sentPerViewer(levels: LimitLevels): { readonly share: number } | undefined {
  if (levels.clients === 'publishers') return undefined;
  const level = levels.perViewer(levels.origin, 'originOutMbps') ?? levels.perViewer(levels.origin, 'networkOutMbps');
  return level?.below ? { share: level.above / level.below } : undefined;
}

function hasHeadroom(levels: LimitLevels): boolean {
  const cpu = levels.level(levels.origin, 'cpuPercent');
  return cpu !== undefined && cpu.above < bounds.headroomCpuPercent;
}

/** Packets are lost though the origin sends each viewer as much as before and has headroom: the network loses them. */
const network: Rule = (levels) => {
  const lossy = levels.testers
    .map((tester) => ({ tester, level: levels.level(tester, 'lossPercent') }))
    .find(({ level }) => level && level.above >= bounds.lossPercent && (level.below ?? 0) < bounds.lossBeforePercent);
  const sent = sentPerViewer(levels);
  if (!lossy?.level || !sent || sent.share < 1 - bounds.steadyShare || !hasHeadroom(levels)) return undefined;
  return {
    ...bottleneckOf(
      levels,
      'network',
      `${formatTenths(lossy.level.above)} % of the packets to ${lossy.tester.name} were lost${before(lossy.level.below, ' %')} with ${levels.size} at ${levels.at}, while ${nameOf(levels)} sent each viewer as much as before and had headroom.`,
    ),
    node: lossy.tester.id,
  };
};

/** Preferred over a guess; states what is known. */
const unknown: Rule = (levels) => {
  const cpu = levels.level(levels.origin, 'cpuPercent');
  const sent = sentPerViewer(levels);
  const less =
    sent && sent.share < 1 - bounds.steadyShare
      ? `${nameOf(levels)} sent each viewer ${formatTenths(100 * (1 - sent.share))} % less with ${levels.size} at ${levels.at}`
      : `${levels.clients === 'publishers' ? 'Publishers failed' : 'Viewers degraded'} with ${levels.size} at ${levels.at}`;
  const room = cpu ? `its CPU was at ${formatTenths(cpu.above)} %` : 'its CPU was not measured';
  return bottleneckOf(levels, 'unknown', `${less}, and no measured resource was exhausted: ${room}.`);
};

/** In this order: an exhausted resource explains refusals, loss and delay, not the reverse. */
export const bottleneckRules: readonly Rule[] = [
  hostCpu,
  oneCore,
  budget,
  memory,
  pauses,
  bandwidth,
  sendErrors,
  refusals,
  refusedPublishers,
  expectedCpu,
  network,
  unknown,
];
