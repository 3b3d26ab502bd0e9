import { formatTenths, formatCount, counted, formatViewers } from '../text/numberFormat';
import type { TesterLimitKind } from '../model/run';
import type { SeriesId } from '../series/series';
import { testerLimitOf } from '../failure/attribution';

/**
 * Thresholds from which a tester itself limits its viewers, all over five seconds: a single second does no harm.
 * Nothing that a server does crosses them, so viewer metrics of such a tester prove nothing about the server.
 */
export const testerBounds = {
  /** Percent of all cores. The mean of a second hides bursts: above 90 %, threads already wait for each other. */
  hostCpuPercent: 90,
  /**
   * Percent of the time of the single thread that reads for all viewers. At 100 it can't read faster, and buffers fill.
   */
  readerBusyPercent: 90,
  /**
   * Percent of the time in which that thread was runnable but had no processor. Measured with 250 viewers: 1 to 3 on a
   * machine at 60 % CPU, 5 to 16 on one with all cores busy but no degraded viewers, 50 to 90 with degraded viewers.
   */
  readerWaitPercent: 20,
  /**
   * The agent's own use, percent of all cores: if origin and tester share a host, the host's CPU is not conclusive.
   */
  processCpuPercent: 80,
  /** Datagrams that the tester dropped, in percent of those received: a tenth of what makes a viewer degraded. */
  droppedPercent: 0.2,
  /** The agent keeps 256 files free of viewers; 32 handshakes at once need two each. With fewer, some of them fail. */
  openFilesLeft: 64,
  /**
   * Percent of the memory. Below it the kernel reclaims pages from programs, which stalls them for milliseconds to
   * seconds.
   */
  memoryAvailablePercent: 5,
  /** Percent of an interface's speed. Above it a second's mean hides queues that drop incoming packets. */
  networkPercent: 90,
  /** Arrivals per second, in percent of the target: the share at which the agent itself reports late starts. */
  arrivalPercent: 90,
} as const;

/** Viewers of one tester that failed due to the tester. */
export interface TesterFailure {
  readonly cause: string;
  readonly count: number;
  /** When the first of them failed, Unix ms. */
  readonly firstMs: number;
}

/** The data for the rules: the last seconds of a tester. */
export interface TesterWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Undefined if too little was measured. */
  mean(series: SeriesId): number | undefined;
  sum(series: SeriesId): number;
  last(series: SeriesId): number | undefined;
  /** Number of samples above 0. */
  times(series: SeriesId): number;
  /** Increase of a counter. */
  growth(series: SeriesId): number;
  readonly failures: readonly TesterFailure[];
}

/** The properties of a tester that the rules need. */
export interface MonitoredTester {
  readonly id: string;
  readonly name: string;
  /** Cores of its machine; absent if unknown. */
  readonly cores?: number;
  /** Names of the members of a tester group, by place. */
  readonly members?: readonly string[];
  /** The origin's name if both run on one host. */
  readonly sharedWith?: string;
}

/** The result of a rule: `ratio` above 1 exceeds the limit. */
export interface TesterFigure {
  readonly ratio: number;
  /** Follows "was at its own limit: ". */
  readonly words: string;
  /** The limit as displayed. */
  readonly expected: string;
}

type Rule = (window: TesterWindow, tester: MonitoredTester) => TesterFigure | undefined;

const bounds = testerBounds;
const cpuExpected = (percent: number): string => `a tester needs CPU headroom, <= ${percent} %`;

function most(
  value: number | undefined,
  bound: number,
  expected: string,
  words: (value: number) => string,
): TesterFigure | undefined {
  return value === undefined ? undefined : { ratio: value / bound, words: words(value), expected };
}

function least(
  value: number | undefined,
  bound: number,
  expected: string,
  words: (value: number) => string,
): TesterFigure | undefined {
  return value === undefined
    ? undefined
    : { ratio: bound / Math.max(value, bound / 100), words: words(value), expected };
}

/** On the origin's own host the CPU is the origin's figure, and part of the test. */
const hostCpu: Rule = (window, { sharedWith }) =>
  sharedWith !== undefined
    ? undefined
    : most(
        window.mean('testerHostCpuPercent') ?? window.mean('cpuPercent'),
        bounds.hostCpuPercent,
        cpuExpected(bounds.hostCpuPercent),
        (percent) => `CPU ${formatTenths(percent)} % over 5 s`,
      );

const onSharedHost = ({ sharedWith }: MonitoredTester): string =>
  sharedWith === undefined ? '' : `, on the machine shared with ${sharedWith},`;

const readerBusy: Rule = (window) =>
  most(
    window.mean('testerReaderBusyPercent'),
    bounds.readerBusyPercent,
    cpuExpected(bounds.readerBusyPercent),
    (percent) => `its reading thread was busy for ${formatTenths(percent)} % of 5 s`,
  );

const readerWaiting: Rule = (window, tester) =>
  most(
    window.mean('testerReaderWaitPercent'),
    bounds.readerWaitPercent,
    `a tester's reading thread hardly waits for a processor, <= ${bounds.readerWaitPercent} %`,
    (percent) =>
      `its reading thread waited for a processor for ${formatTenths(percent)} % of 5 s${onSharedHost(tester)}`,
  );

const ownCpu: Rule = (window, { cores }) => {
  const percent = window.mean('processCpuPercent');
  return most(
    percent === undefined || !cores ? undefined : percent / cores,
    bounds.processCpuPercent,
    cpuExpected(bounds.processCpuPercent),
    (share) => `its agent used ${formatTenths(share)} % of all cores`,
  );
};

/** One burst is no limit: datagrams have to be dropped in several seconds. */
const minTimesDropped = 2;

/** Drops by the highest of several series that count the same. */
function dropped(window: TesterWindow, series: readonly SeriesId[], words: string): TesterFigure | undefined {
  const drops = Math.max(...series.map((id) => (window.times(id) < minTimesDropped ? 0 : window.sum(id))));
  const received = window.sum('packetsPerSecond');
  if (drops <= 0) return undefined;
  const percent = (100 * drops) / (received + drops);
  return {
    ratio: percent / bounds.droppedPercent,
    words: words.replace('#', `${formatCount(drops)} datagrams (${formatTenths(percent)} %)`),
    expected: `a tester drops no packets itself, <= ${bounds.droppedPercent} %`,
  };
}

const socketDrops: Rule = (window) =>
  dropped(
    window,
    ['testerSocketDropsPerSecond'],
    "# were dropped at its viewers' sockets within 5 s because it did not read fast enough",
  );

/**
 * The errors of a host shared with the origin may be the origin's; the viewers' own sockets are counted separately by
 * the agent.
 */
const hostDrops: Rule = (window, { sharedWith }) =>
  sharedWith !== undefined && window.last('testerSocketDropsPerSecond') !== undefined
    ? undefined
    : dropped(
        window,
        ['udpReceiveBufferErrorsPerSecond', 'testerReceiveBufferErrorsPerSecond'],
        'its host dropped # within 5 s because socket buffers were full',
      );

const networkDrops: Rule = (window) =>
  dropped(
    window,
    ['testerNetworkDropsPerSecond'],
    'its network interfaces dropped # within 5 s before they reached a socket',
  );

const openFiles: Rule = (window) => {
  const limit = window.last('testerOpenFilesLimit');
  const open = window.mean('processOpenFiles');
  return least(
    limit === undefined || open === undefined ? undefined : limit - open,
    bounds.openFilesLeft,
    `a tester needs open files for handshakes, >= ${bounds.openFilesLeft} left`,
    (remaining) => `${formatCount(Math.max(0, remaining))} of its ${formatCount(limit ?? 0)} open files were left`,
  );
};

const memory: Rule = (window) =>
  least(
    window.mean('testerMemoryAvailablePercent'),
    bounds.memoryAvailablePercent,
    `a tester needs memory headroom, >= ${bounds.memoryAvailablePercent} %`,
    (percent) => `${formatTenths(percent)} % of its memory was left over 5 s`,
  );

const network: Rule = (window) =>
  most(
    window.mean('testerNetworkPercent'),
    bounds.networkPercent,
    `a tester needs network headroom, <= ${bounds.networkPercent} %`,
    (percent) => `its network utilization was ${formatTenths(percent)} % over 5 s`,
  );

/** Slow arrivals are caused by the server unless the tester has no CPU to connect faster. */
const arrivals: Rule = (window, tester) => {
  const requestedRate = window.last('arrivalRateTarget');
  const achieved = window.last('arrivalRateAchieved');
  const short = [hostCpu, readerBusy, readerWaiting, ownCpu]
    .map((rule) => rule(window, tester))
    .find((finding) => finding && finding.ratio > 1);
  if (!requestedRate || !achieved || !short) return undefined;
  return least(
    (100 * achieved) / requestedRate,
    bounds.arrivalPercent,
    `viewers arrive at the target rate, >= ${bounds.arrivalPercent} %`,
    () =>
      `its arrival rate was ${formatTenths(achieved)}/s instead of ${formatTenths(requestedRate)}/s, since ${short.words.replace(/^CPU/, 'CPU was')}`,
  );
};

const lacking: Partial<Record<TesterLimitKind, string>> = {
  'open-files': 'it ran out of open files',
  ports: 'it ran out of local ports',
  memory: 'it ran out of memory',
};

function failedFor(kind: TesterLimitKind): Rule {
  return (window) => {
    const mine = window.failures.filter(({ cause }) => testerLimitOf(cause) === kind);
    const failed = mine.reduce((sum, failure) => sum + failure.count, 0);
    const began = mine.some(({ firstMs }) => firstMs > window.fromMs && firstMs <= window.toMs);
    if (failed === 0 || (!began && window.growth('viewersFailedOnTester') <= 0)) return undefined;
    return {
      ratio: Infinity,
      words: `${formatViewers(failed)} failed because ${lacking[kind] ?? 'it ran out of resources'}`,
      expected: 'a tester has sufficient resources for its viewers',
    };
  };
}

/** A lost viewer that can't connect again for lack of a resource tries again, so it is in no count of failed viewers. */
function reconnectsWithout(
  kind: TesterLimitKind,
  series: 'reconnectsWithoutFilesPerSecond' | 'reconnectsWithoutPortsPerSecond',
): Rule {
  return (window) => {
    const attempts = window.sum(series);
    if (attempts <= 0) return undefined;
    return {
      ratio: Infinity,
      words: `${counted(attempts, 'attempt')} of lost viewers to reconnect failed within 5 s because ${lacking[kind] ?? 'it ran out of resources'}`,
      expected: 'a tester has sufficient resources for its viewers',
    };
  };
}

/** Rules by exhausted resource; the first one crossed is reported. */
export const testerRules: Readonly<Record<TesterLimitKind, readonly Rule[]>> = {
  cpu: [hostCpu, readerBusy, readerWaiting],
  'socket-buffers': [socketDrops, hostDrops],
  'open-files': [
    failedFor('open-files'),
    reconnectsWithout('open-files', 'reconnectsWithoutFilesPerSecond'),
    openFiles,
  ],
  ports: [failedFor('ports'), reconnectsWithout('ports', 'reconnectsWithoutPortsPerSecond')],
  memory: [failedFor('memory'), memory],
  network: [network, networkDrops],
  arrivals: [arrivals],
};

/** Series that the rules read. */
export const testerSeries: readonly SeriesId[] = [
  'testerHostCpuPercent',
  'cpuPercent',
  'testerReaderBusyPercent',
  'testerReaderWaitPercent',
  'processCpuPercent',
  'testerSocketDropsPerSecond',
  'testerReceiveBufferErrorsPerSecond',
  'udpReceiveBufferErrorsPerSecond',
  'packetsPerSecond',
  'processOpenFiles',
  'testerOpenFilesLimit',
  'testerMemoryAvailablePercent',
  'testerNetworkPercent',
  'testerNetworkDropsPerSecond',
  'testerWorstMember',
  'reconnectsWithoutFilesPerSecond',
  'reconnectsWithoutPortsPerSecond',
  'viewersFailedOnTester',
  'arrivalRateTarget',
  'arrivalRateAchieved',
  'viewersConnected',
];
