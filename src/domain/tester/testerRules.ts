import { formatFigure } from '../numberFormat';
import type { TesterLimitKind } from '../run';
import type { SeriesId } from '../series';

/**
 * From where on a tester itself bounds what its viewers see. All are looked at over five seconds: a single second hurts nobody.
 * What a server does to its viewers crosses none of them, so a tester that crosses one is no witness against the server.
 */
export const testerBounds = {
  /** Percent of all cores. The mean of a second hides bursts: beyond nine tenths, threads already wait for each other in each of them. */
  hostCpuPercent: 90,
  /** Percent of the time of the one thread that reads for all viewers. At 100 it can't read faster, and buffers fill. */
  readerBusyPercent: 90,
  /**
   * Percent of the time in which that thread could have read and had no processor. Measured with 250 viewers: 1 to 3 on a machine that
   * is busy for 60 %, 5 to 16 on one whose cores are all busy and whose viewers still see everything, 50 to 90 where they don't.
   */
  readerWaitPercent: 20,
  /** Of the agent's own use, percent of all cores: where origin and tester share a host, the host's CPU blames neither of them. */
  processCpuPercent: 80,
  /** Datagrams that the tester dropped, in percent of those that reached it: a tenth of what makes a viewer degraded. */
  droppedPercent: 0.2,
  /** The agent keeps 256 files free of viewers; 32 handshakes at once need two each. Fewer than that, and some of them fail. */
  openFilesLeft: 64,
  /** Percent of the memory. Below it the kernel takes pages away from programs, which stops them for milliseconds to seconds. */
  memoryAvailablePercent: 5,
  /** Percent of an interface's speed. Beyond it a second's mean hides queues that drop packets on the way in. */
  networkPercent: 90,
  /** Arrivals per second, in percent of those asked for: the share at which the agent itself says that it is late. */
  arrivalPercent: 90,
} as const;

/** What became of viewers that failed by the tester's own fault; the agent's causes. */
export const testerCauses: Readonly<Record<string, TesterLimitKind>> = {
  'tester-open-files': 'open-files',
  'tester-ports': 'ports',
  'tester-memory': 'memory',
};

/** Whether a viewer failed because its tester had nothing left for it, and not by the server's doing. */
export function isTestersFault(cause: string): boolean {
  return cause.startsWith('tester-');
}

const serversWord =
  /^(http-\d|refused$|unresolved$|not-|no-h264$|no-candidate$|certificate$|fingerprint$|payload-type$|setup-active$|redirects$|cross-origin$|unpublished$)/;

/** Whether a viewer failed by what the server said: no tester is too slow to be told so. Silence, closed connections and what took too long are another matter. */
export function isServersWord(cause: string): boolean {
  return serversWord.test(cause);
}

/** Viewers of one tester that failed by its own fault. */
export interface FailedHere {
  readonly cause: string;
  readonly count: number;
  /** When the first of them failed, Unix ms. */
  readonly firstMs: number;
}

/** What the rules see of a tester: its last seconds. */
export interface TesterWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Undefined where too little was measured. */
  mean(series: SeriesId): number | undefined;
  sum(series: SeriesId): number;
  last(series: SeriesId): number | undefined;
  /** In how many of the samples there was any. */
  times(series: SeriesId): number;
  /** By how much a counter has grown. */
  growth(series: SeriesId): number;
  readonly failures: readonly FailedHere[];
}

/** What the rules have to know of a tester. */
export interface WatchedTester {
  readonly id: string;
  readonly name: string;
  /** Of its machine; absent where it is not known. */
  readonly cores?: number;
  /** The origin's name when both run on one host. */
  readonly sharedWith?: string;
}

/** What a rule found: `ratio` above 1 is beyond the bound. */
export interface TesterFigure {
  readonly ratio: number;
  /** Follows "was at its own limit: ". */
  readonly words: string;
  /** The bound as a person reads it. */
  readonly expected: string;
}

type Rule = (window: TesterWindow, tester: WatchedTester) => TesterFigure | undefined;

const bounds = testerBounds;
const figure = (value: number): string => formatFigure(value, 'tenths').replace(/\.0$/, '');
const count = (value: number): string => formatFigure(Math.round(value), 'integer');
const cpuExpected = (percent: number): string => `a tester needs CPU to spare, <= ${percent} %`;

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

/** On the origin's own host the CPU is the origin's figure, which its viewers suffer from rightly. */
const hostCpu: Rule = (window, { sharedWith }) =>
  sharedWith !== undefined
    ? undefined
    : most(
        window.mean('testerHostCpuPercent') ?? window.mean('cpuPercent'),
        bounds.hostCpuPercent,
        cpuExpected(bounds.hostCpuPercent),
        (percent) => `CPU ${figure(percent)} % over 5 s`,
      );

const onSharedHost = ({ sharedWith }: WatchedTester): string =>
  sharedWith === undefined ? '' : `, on a machine that it shares with ${sharedWith},`;

const readerBusy: Rule = (window) =>
  most(
    window.mean('testerReaderBusyPercent'),
    bounds.readerBusyPercent,
    cpuExpected(bounds.readerBusyPercent),
    (percent) => `its reading thread was busy for ${figure(percent)} % of 5 s`,
  );

const readerWaiting: Rule = (window, tester) =>
  most(
    window.mean('testerReaderWaitPercent'),
    bounds.readerWaitPercent,
    `a tester's reading thread gets a processor when it needs one, waiting <= ${bounds.readerWaitPercent} %`,
    (percent) =>
      `its reading thread waited for a processor for ${figure(percent)} % of 5 s${onSharedHost(tester)}`,
  );

const ownCpu: Rule = (window, { cores }) => {
  const percent = window.mean('processCpuPercent');
  return most(
    percent === undefined || !cores ? undefined : percent / cores,
    bounds.processCpuPercent,
    cpuExpected(bounds.processCpuPercent),
    (share) => `its agent took ${figure(share)} % of all cores`,
  );
};

/** One burst is no limit: datagrams have to be dropped in several seconds. */
const leastTimesDropped = 2;

/** Of several series that count the same, the one that has seen the most. */
function dropped(window: TesterWindow, series: readonly SeriesId[], words: string): TesterFigure | undefined {
  const drops = Math.max(
    ...series.map((each) => (window.times(each) < leastTimesDropped ? 0 : window.sum(each))),
  );
  const received = window.sum('packetsPerSecond');
  if (drops <= 0) return undefined;
  const percent = (100 * drops) / (received + drops);
  return {
    ratio: percent / bounds.droppedPercent,
    words: words.replace('#', `${count(drops)} datagrams (${figure(percent)} %)`),
    expected: `a tester drops nothing itself, <= ${bounds.droppedPercent} %`,
  };
}

const socketDrops: Rule = (window) =>
  dropped(
    window,
    ['testerSocketDropsPerSecond'],
    "# were dropped at its viewers' sockets within 5 s because it did not read fast enough",
  );

/** The errors of a host that origin and tester share may be the origin's; the viewers' own sockets are told apart where the agent looks. */
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
    'its network interfaces dropped # within 5 s before any socket saw them',
  );

const openFiles: Rule = (window) => {
  const limit = window.last('testerOpenFilesLimit');
  const open = window.mean('processOpenFiles');
  return least(
    limit === undefined || open === undefined ? undefined : limit - open,
    bounds.openFilesLeft,
    `a tester needs files for handshakes, >= ${bounds.openFilesLeft} left`,
    (left) => `${count(Math.max(0, left))} of its ${count(limit ?? 0)} open files were left`,
  );
};

const memory: Rule = (window) =>
  least(
    window.mean('testerMemoryAvailablePercent'),
    bounds.memoryAvailablePercent,
    `a tester needs memory to spare, >= ${bounds.memoryAvailablePercent} %`,
    (percent) => `${figure(percent)} % of its memory was left over 5 s`,
  );

const network: Rule = (window) =>
  most(
    window.mean('testerNetworkPercent'),
    bounds.networkPercent,
    `a tester's network needs room, <= ${bounds.networkPercent} %`,
    (percent) => `its network was used to ${figure(percent)} % over 5 s`,
  );

/** Slow arrivals are the server's doing unless the tester has no CPU to connect faster. */
const arrivals: Rule = (window, tester) => {
  const asked = window.last('arrivalRateAsked');
  const achieved = window.last('arrivalRateAchieved');
  const short = [hostCpu, readerBusy, readerWaiting, ownCpu]
    .map((rule) => rule(window, tester))
    .find((found) => found && found.ratio > 1);
  if (!asked || !achieved || !short) return undefined;
  return least(
    (100 * achieved) / asked,
    bounds.arrivalPercent,
    `viewers arrive as asked, >= ${bounds.arrivalPercent} %`,
    () =>
      `its viewers arrived at ${figure(achieved)}/s instead of ${figure(asked)}/s, since ${short.words.replace(/^CPU/, 'CPU was')}`,
  );
};

const lacking: Partial<Record<TesterLimitKind, string>> = {
  'open-files': 'it had no open file left for them',
  ports: 'it had no local port left for them',
  memory: 'it had no memory left for them',
};

function failedFor(kind: TesterLimitKind): Rule {
  return (window) => {
    const mine = window.failures.filter(({ cause }) => testerCauses[cause] === kind);
    const failed = mine.reduce((sum, each) => sum + each.count, 0);
    const began = mine.some(({ firstMs }) => firstMs > window.fromMs && firstMs <= window.toMs);
    if (failed === 0 || (!began && window.growth('testerFailedHere') <= 0)) return undefined;
    return {
      ratio: Infinity,
      words: `${count(failed)} viewer${failed === 1 ? '' : 's'} failed because ${lacking[kind] ?? 'it had nothing left for them'}`,
      expected: 'a tester has what its viewers need',
    };
  };
}

/** By what it runs out of; of several rules that are crossed the first one speaks. */
export const testerRules: Readonly<Record<TesterLimitKind, readonly Rule[]>> = {
  cpu: [hostCpu, readerBusy, readerWaiting],
  'socket-buffers': [socketDrops, hostDrops],
  'open-files': [failedFor('open-files'), openFiles],
  ports: [failedFor('ports')],
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
  'testerFailedHere',
  'arrivalRateAsked',
  'arrivalRateAchieved',
  'viewersConnected',
];
