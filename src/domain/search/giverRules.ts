import { formatFigure } from '../numberFormat';
import type { SeriesId } from '../series';
import { isServersWord, isTestersFault } from '../tester/testerRules';
import type { BreakLevels } from './breakLevels';
import type { FirstToGiveOut, LimitFound } from './found';

/** From where on something counts as used up, as the mean over the trials above the break. */
const bounds = {
  /** Percent of all cores of the host. */
  cpuPercent: 90,
  /** Percent of one core, for servers that have one thread for it, and for any core that works alone. */
  oneCorePercent: 95,
  /** Percent of a budget that a server itself tells of. */
  budgetPercent: 98,
  memoryPercent: 95,
  /** Percent of what was measured between the nodes, and of it also when it hardly grows with the viewers any more. */
  bandwidthPercent: 90,
  sendErrorsPerSecond: 10,
  /** Loss after repair, and how much of it there may have been below the break. */
  lossPercent: 1,
  lossBeforePercent: 0.3,
  /** Below this the origin has room. */
  roomyCpuPercent: 85,
  /** Share by which what the origin sends to each viewer may change before it is the origin that sends less. */
  steadyShare: 0.05,
  /** Share of viewers that are not connected. */
  missingShare: 0.01,
} as const;

export type Giver = NonNullable<LimitFound['gaveOut']>;
type Rule = (levels: BreakLevels) => Giver | undefined;

const figure = (value: number): string => formatFigure(value, 'tenths').replace(/\.0$/, '');
const count = (value: number): string => formatFigure(Math.round(value), 'integer');

function giver({ origin, brokeMs }: BreakLevels, what: FirstToGiveOut, sentence: string): Giver {
  return { what, sentence, ...(origin ? { node: origin.id } : {}), timeMs: Math.round(brokeMs) };
}

const nameOf = ({ origin }: BreakLevels): string => origin?.name ?? 'The origin';
/** What it was at the size below, for sentences. */
const before = (held: number | undefined, unit: string): string =>
  held === undefined ? '' : ` (${figure(held)}${unit} below the break)`;

/** Who shares the origin's machine, and so its CPU. */
function shared({ origin, testers }: BreakLevels): string {
  const names = testers.filter(({ host }) => host === origin?.host).map(({ name }) => name);
  return names.length > 0 ? `; same host as ${names.join(' and ')}` : '';
}

const hostCpu: Rule = (levels) => {
  const level = levels.level(levels.origin, 'cpuPercent');
  if (!level || level.broke < bounds.cpuPercent) return undefined;
  if (!levels.isDriven(levels.origin, 'cpuPercent', level.broke)) return undefined;
  return giver(
    levels,
    'origin-cpu',
    `CPU of ${nameOf(levels)} was at ${figure(level.broke)} %${before(level.held, ' %')} with ${levels.size} at ${levels.at}${shared(levels)}.`,
  );
};

/** Families whose media goes through one thread of a process. */
const singleThreaded: ReadonlySet<string> = new Set(['srs', 'nginx-rtmp']);

const oneCore: Rule = (levels) => {
  const { origin } = levels;
  const own = levels.level(origin, 'processCpuPercent');
  if (
    origin?.server !== undefined &&
    singleThreaded.has(origin.server) &&
    own &&
    own.broke >= bounds.oneCorePercent
  )
    return giver(
      levels,
      'origin-cpu',
      `The process of ${origin.name} was at ${figure(own.broke)} % of the one core that it can use${before(own.held, ' %')}, with ${levels.size} at ${levels.at}; more cores do not help it.`,
    );
  const cores = Array.from({ length: origin?.machine?.cores ?? 0 }, (_, core) => {
    const series: SeriesId = `cpuCorePercent:${core}`;
    return { core, series, level: levels.level(origin, series) };
  });
  const full = cores.find(
    ({ series, level }) =>
      level && level.broke >= bounds.oneCorePercent && levels.isDriven(origin, series, level.broke),
  );
  if (!full?.level) return undefined;
  return giver(
    levels,
    'origin-cpu',
    `Core ${full.core} of ${nameOf(levels)} was at ${figure(full.level.broke)} %${before(full.level.held, ' %')} with ${levels.size} at ${levels.at}, while others had room.`,
  );
};

const budget: Rule = (levels) => {
  const level = levels.level(levels.origin, 'server:cpu_budget_percent');
  if (!level || level.broke < bounds.budgetPercent) return undefined;
  return giver(
    levels,
    'origin-cpu',
    `${nameOf(levels)} says that it needed ${figure(level.broke)} % of its CPU budget${before(level.held, ' %')} with ${levels.size} at ${levels.at}.`,
  );
};

/** What the plan itself bounds is given out where it is crossed, though there may be more of it. */
const expectedCpu: Rule = (levels) => {
  const bound = levels.evidence.plan.expect.cpu?.value;
  const level = levels.level(levels.origin, 'cpuPercent');
  if (bound === undefined || !level || level.broke <= bound) return undefined;
  return giver(
    levels,
    'origin-cpu',
    `CPU of ${nameOf(levels)} was at ${figure(level.broke)} %${before(level.held, ' %')}, over the ${bound} % that are expected, with ${levels.size} at ${levels.at}${shared(levels)}.`,
  );
};

const memory: Rule = (levels) => {
  const all = levels.origin?.machine?.memoryBytes;
  const level = levels.level(levels.origin, 'memoryUsedBytes');
  if (!all || !level || (100 * level.broke) / all < bounds.memoryPercent) return undefined;
  if ((level.held ?? 0) >= level.broke) return undefined;
  return giver(
    levels,
    'origin-memory',
    `${figure((100 * level.broke) / all)} % of the memory of ${nameOf(levels)} were used with ${levels.size} at ${levels.at}.`,
  );
};

const pauses: Rule = (levels) => {
  const bound = levels.evidence.plan.expect.gcPause?.value;
  const level = levels.level(levels.origin, 'gcPauseMs', 'most');
  if (bound === undefined || !level || level.broke <= bound || (level.held ?? 0) > bound) return undefined;
  return giver(
    levels,
    'origin-gc',
    `The garbage collector stopped ${nameOf(levels)} for up to ${figure(level.broke)} ms${before(level.held, ' ms')} with ${levels.size} at ${levels.at}.`,
  );
};

const bandwidth: Rule = (levels) => {
  const { origin } = levels;
  const capacity = origin?.capacity;
  const level = levels.level(origin, 'networkOutMbps') ?? levels.level(origin, 'originOutMbps');
  if (!level || capacity?.direction !== 'out') return undefined;
  if ((100 * level.broke) / capacity.mbps < bounds.bandwidthPercent) return undefined;
  return giver(
    levels,
    'origin-bandwidth',
    `${nameOf(levels)} sent ${figure(level.broke)} of the ${figure(capacity.mbps)} Mbit/s that were measured to ${capacity.between}, with ${levels.size} at ${levels.at}.`,
  );
};

const sendErrors: Rule = (levels) => {
  const level = levels.level(levels.origin, 'udpSendBufferErrorsPerSecond');
  if (!level || level.broke < bounds.sendErrorsPerSecond || (level.held ?? 0) * 5 > level.broke)
    return undefined;
  return giver(
    levels,
    'origin-sockets',
    `${count(level.broke)} datagrams a second found the send buffers of ${nameOf(levels)} full${before(level.held, '/s')}, with ${levels.size} at ${levels.at}.`,
  );
};

/** Viewers that did not get in, by what the server said to them or by its silence. */
const refusals: Rule = (levels) => {
  const connected = levels.audience('viewersConnected');
  const asked = levels.audience('viewersRequested');
  const wanted = Math.max(levels.brokeViewers, asked?.broke ?? 0);
  if (!connected || wanted - connected.broke < Math.max(0.5, wanted * bounds.missingShare)) return undefined;
  const groups = levels.evidence.failures.filter(
    ({ cause, stage }) => !isTestersFault(cause) && stage !== 'media',
  );
  const worst = groups.reduce<(typeof groups)[number] | undefined>(
    (most, each) => (most === undefined || each.count > most.count ? each : most),
    undefined,
  );
  if (!worst) return undefined;
  const got = `${count(connected.broke)} of ${count(wanted)} viewers were in at ${levels.at}`;
  if (worst.stage === 'tcp' || worst.stage === 'tls')
    return giver(
      levels,
      'origin-sockets',
      `${nameOf(levels)} took no more connections: ${got}; most failed at ${worst.stage} (${worst.cause}).`,
    );
  // A server whose connections are used up takes one more and closes it: nginx does, and so does a process without a file to spare.
  if (worst.stage === 'signalling' && worst.cause === 'closed')
    return giver(
      levels,
      'origin-sockets',
      `${nameOf(levels)} closed the connections of newcomers: ${got}; most failed at ${worst.stage} (${worst.cause}). Look at its limits of connections and open files.`,
    );
  if (!isServersWord(worst.cause)) return undefined;
  return giver(
    levels,
    'origin-refuses',
    `${nameOf(levels)} refused viewers: ${got}; most failed at ${worst.stage} (${worst.cause}).`,
  );
};

/** What the origin sends to each viewer; undefined where it is not known. */
function sentPerViewer(levels: BreakLevels): { readonly share: number } | undefined {
  const level =
    levels.perViewer(levels.origin, 'originOutMbps') ?? levels.perViewer(levels.origin, 'networkOutMbps');
  return level?.held ? { share: level.broke / level.held } : undefined;
}

function hasRoom(levels: BreakLevels): boolean {
  const cpu = levels.level(levels.origin, 'cpuPercent');
  return cpu !== undefined && cpu.broke < bounds.roomyCpuPercent;
}

/** Packets are lost though the origin sends each viewer as much as before and has room: it is the way between. */
const network: Rule = (levels) => {
  const lossy = levels.testers
    .map((tester) => ({ tester, level: levels.level(tester, 'lossPercent') }))
    .find(
      ({ level }) =>
        level && level.broke >= bounds.lossPercent && (level.held ?? 0) < bounds.lossBeforePercent,
    );
  const sent = sentPerViewer(levels);
  if (!lossy?.level || !sent || sent.share < 1 - bounds.steadyShare || !hasRoom(levels)) return undefined;
  return {
    ...giver(
      levels,
      'network',
      `${figure(lossy.level.broke)} % of the packets were lost on the way to ${lossy.tester.name}${before(lossy.level.held, ' %')} with ${levels.size} at ${levels.at}, while ${nameOf(levels)} sent each viewer as much as before and had room.`,
    ),
    node: lossy.tester.id,
  };
};

/** Rather this than a guess; what is known is said. */
const unknown: Rule = (levels) => {
  const cpu = levels.level(levels.origin, 'cpuPercent');
  const sent = sentPerViewer(levels);
  const less =
    sent && sent.share < 1 - bounds.steadyShare
      ? `${nameOf(levels)} sent each viewer ${figure(100 * (1 - sent.share))} % less with ${levels.size} at ${levels.at}`
      : `Viewers did not watch well any more with ${levels.size} at ${levels.at}`;
  const room = cpu ? `its CPU was at ${figure(cpu.broke)} %` : 'its CPU was not measured';
  return giver(levels, 'unknown', `${less}, and nothing that is measured was full: ${room}.`);
};

/** In this order: what is full explains what was refused, lost or late, and not the other way round. */
export const giverRules: readonly Rule[] = [
  hostCpu,
  oneCore,
  budget,
  memory,
  pauses,
  bandwidth,
  sendErrors,
  refusals,
  expectedCpu,
  network,
  unknown,
];
