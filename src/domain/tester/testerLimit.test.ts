import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { FailureGroup, RunView, TesterLimit } from '../model/run';
import type { SeriesId } from '../series/series';
import { testerLimits } from './testerLimit';
import { testerSeries } from './testerRules';
import type { Values } from '../series/windows';

const startMs = Date.UTC(2026, 10, 22, 15, 20, 31);
const endSeconds = 60;

type Curve = (second: number) => number | undefined;
type Curves = Partial<Record<SeriesId, Curve>>;

const between =
  (from: number, to: number, inside: number, outside: number): Curve =>
  (second) =>
    second >= from && second < to ? inside : outside;

/** A tester with sufficient resources for a thousand viewers. */
const healthy: Curves = {
  testerHostCpuPercent: () => 30,
  testerReaderBusyPercent: () => 12,
  testerReaderWaitPercent: () => 3,
  processCpuPercent: () => 16,
  testerSocketDropsPerSecond: () => 0,
  testerReceiveBufferErrorsPerSecond: () => 0,
  packetsPerSecond: () => 40_000,
  processOpenFiles: () => 1030,
  testerOpenFilesLimit: () => 20_000,
  testerMemoryAvailablePercent: () => 60,
  testerNetworkPercent: () => 20,
  testerNetworkDropsPerSecond: () => 0,
  viewersFailedOnTester: () => 0,
  arrivalRateTarget: () => 100,
  arrivalRateAchieved: () => 99,
  viewersConnected: () => 1000,
};

function valuesOf(curves: Curves): (node: string, series: SeriesId) => Values {
  return (id, series) => {
    const curve = id === 'tester' ? curves[series] : undefined;
    const timeMs: number[] = [];
    const value: number[] = [];
    for (let second = 0; curve && second <= endSeconds; second += 1) {
      const each = curve(second);
      if (each === undefined) continue;
      timeMs.push(startMs + second * 1000);
      value.push(each);
    }
    return { timeMs, value };
  };
}

const node = (id: string, role: NodeView['role'], host: string): NodeView => ({
  id,
  name: id,
  role,
  colourSlot: 1,
  state: 'live',
  reach: '',
  host,
  streams: [],
  machine: { cores: 4, versions: {} } as NodeView['machine'],
});

function limits(
  curves: Curves,
  testersHost = 'b',
  failures: readonly FailureGroup[] = [],
  group?: NodeView['group'],
): TesterLimit[] {
  const origin = node('origin', 'origin', 'a');
  const tester = { ...node('tester', 'tester', testersHost), group };
  return testerLimits({
    view: { nodes: [origin, tester], failures } as unknown as RunView,
    time: { runStartMs: startMs, fromMs: startMs, toMs: startMs + endSeconds * 1000 },
    origin,
    origins: [origin],
    testers: [tester],
    values: valuesOf({ ...healthy, ...curves }),
  });
}

const seconds = ({ fromMs, toMs }: TesterLimit): [number, number | undefined] => [
  (fromMs - startMs) / 1000,
  toMs === undefined ? undefined : (toMs - startMs) / 1000,
];

function failures(cause: string, count: number, second: number): FailureGroup[] {
  const example = { viewer: 1, timeMs: startMs + second * 1000, detail: '' };
  return [{ tester: 'tester', stage: 'ice', cause, count, example }];
}

it('a tester with sufficient resources is at no limit', () => {
  expect(limits({})).toEqual([]);
});

it('a tester without data has no known limit', () => {
  expect(limits(Object.fromEntries(testerSeries.map((series) => [series, () => undefined])))).toEqual([]);
});

describe('each limit is detected with its figures', () => {
  it.each<[TesterLimit['kind'], Curves, string, string]>([
    [
      'cpu',
      { testerHostCpuPercent: between(20, 40, 97, 30) },
      'tester was at its own limit: CPU 97 % over 5 s at 00:00:24.',
      'a tester needs CPU headroom, <= 90 %',
    ],
    [
      'cpu',
      { testerReaderBusyPercent: between(20, 40, 99, 12) },
      'tester was at its own limit: its reading thread was busy for 99 % of 5 s at 00:00:24.',
      'a tester needs CPU headroom, <= 90 %',
    ],
    [
      'cpu',
      { testerReaderWaitPercent: between(20, 40, 35, 3) },
      'tester was at its own limit: its reading thread waited for a processor for 22.2 % of 5 s at 00:00:22.',
      "a tester's reading thread hardly waits for a processor, <= 20 %",
    ],
    [
      'socket-buffers',
      { testerSocketDropsPerSecond: between(20, 40, 450, 0) },
      "tester was at its own limit: 900 datagrams (0.4 %) were dropped at its viewers' sockets within 5 s because it did not read fast enough at 00:00:21.",
      'a tester drops no packets itself, <= 0.2 %',
    ],
    [
      'socket-buffers',
      { testerReceiveBufferErrorsPerSecond: between(20, 40, 4000, 0) },
      'tester was at its own limit: its host dropped 8,000 datagrams (3.8 %) within 5 s because socket buffers were full at 00:00:21.',
      'a tester drops no packets itself, <= 0.2 %',
    ],
    [
      'open-files',
      { processOpenFiles: between(20, 40, 1230, 900), testerOpenFilesLimit: () => 1256 },
      'tester was at its own limit: 26 of its 1,256 open files were left at 00:00:24.',
      'a tester needs open files for handshakes, >= 64 left',
    ],
    [
      'memory',
      { testerMemoryAvailablePercent: between(20, 40, 2, 60) },
      'tester was at its own limit: 2 % of its memory was left over 5 s at 00:00:24.',
      'a tester needs memory headroom, >= 5 %',
    ],
    [
      'network',
      { testerNetworkPercent: between(20, 40, 98, 20) },
      'tester was at its own limit: its network utilization was 98 % over 5 s at 00:00:24.',
      'a tester needs network headroom, <= 90 %',
    ],
    [
      'network',
      { testerNetworkDropsPerSecond: between(20, 40, 1000, 0) },
      'tester was at its own limit: its network interfaces dropped 2,000 datagrams (1 %) within 5 s before they reached a socket at 00:00:21.',
      'a tester drops no packets itself, <= 0.2 %',
    ],
  ])('%s', (kind, curves, sentence, expected) => {
    const found = limits(curves);
    expect(found).toMatchObject([{ node: 'tester', kind, viewers: 1000, sentence, expected }]);
    expect(found.map(seconds)).toEqual([[expect.closeTo(19, -1), expect.closeTo(43, -1)]]);
  });
});

describe('viewers that failed due to the tester itself', () => {
  const counted = { viewersFailedOnTester: (second: number) => Math.min(12, Math.max(0, second - 20)) };
  it.each<[TesterLimit['kind'], string, string]>([
    ['open-files', 'tester-open-files', '12 viewers failed because it ran out of open files'],
    ['ports', 'tester-ports', '12 viewers failed because it ran out of local ports'],
    ['memory', 'tester-memory', '12 viewers failed because it ran out of memory'],
  ])('%s', (kind, cause, words) => {
    const found = limits(counted, 'b', failures(cause, 12, 20.2));
    expect(found).toMatchObject([{ kind, sentence: `tester was at its own limit: ${words} at 00:00:21.` }]);
    expect(found.map(seconds)).toEqual([[16, 35]]);
  });

  it.each<[TesterLimit['kind'], string, string]>([
    ['open-files', 'reconnectsWithoutFilesPerSecond', 'it ran out of open files'],
    ['ports', 'reconnectsWithoutPortsPerSecond', 'it ran out of local ports'],
  ])('%s that lost viewers lacked to connect again', (kind, series, words) => {
    const found = limits({ [series]: between(20, 40, 3, 0) });
    const sentence = `tester was at its own limit: 3 attempts of lost viewers to reconnect failed within 5 s because ${words} at 00:00:20.`;
    expect(found).toMatchObject([{ kind, sentence }]);
    expect(found.map(seconds)).toEqual([[15, 43]]);
  });

  it('are detected even if all of them failed before the first sample', () => {
    expect(limits({ viewersFailedOnTester: () => 12 }, 'b', failures('tester-ports', 12, 1))).toHaveLength(1);
  });

  it('exclude those that a server refused', () => {
    expect(limits(counted, 'b', failures('timeout', 12, 20))).toEqual([]);
  });
});

describe('arrivals', () => {
  const slow = { arrivalRateAchieved: () => 40 };

  it('that are slow are caused by the server', () => {
    expect(limits(slow)).toEqual([]);
  });

  it('are caused by the tester if it has no CPU for them, even on the origin’s host', () => {
    const found = limits({ ...slow, processCpuPercent: between(0, 10, 350, 16) }, 'a');
    expect(found).toMatchObject([
      {
        kind: 'arrivals',
        sentence:
          'tester was at its own limit: its arrival rate was 40/s instead of 100/s, since its agent used 87.5 % of all cores at 00:00:03.',
      },
    ]);
  });
});

describe('on the origin’s own host', () => {
  it('CPU is the origin’s figure', () => {
    expect(limits({ testerHostCpuPercent: () => 100 }, 'a')).toEqual([]);
  });

  it('a waiting reading thread names the shared machine', () => {
    expect(limits({ testerReaderWaitPercent: () => 50 }, 'a')[0]?.sentence).toContain(
      'waited for a processor for 50 % of 5 s, on the machine shared with origin',
    );
  });

  it('errors of the host may be the origin’s, those of the viewers’ sockets are not', () => {
    expect(limits({ testerReceiveBufferErrorsPerSecond: () => 4000 }, 'a')).toEqual([]);
    expect(limits({ testerSocketDropsPerSecond: () => 4000 }, 'a')).toHaveLength(1);
  });
});

describe('intervals', () => {
  it('need more than a second', () => {
    expect(limits({ testerHostCpuPercent: between(20, 21, 100, 80) })).toEqual([]);
    expect(limits({ testerReaderWaitPercent: between(20, 21, 100, 0) })).toEqual([]);
    expect(limits({ testerSocketDropsPerSecond: between(20, 21, 4000, 0) })).toEqual([]);
  });

  it('are few if a figure hovers around its limit', () => {
    const hovering = limits({ testerHostCpuPercent: (second) => (second % 8 < 5 ? 95 : 84) });
    expect(hovering.map(seconds)).toEqual([[0, undefined]]);
  });

  it('continue through a short pause', () => {
    const twice = { viewersFailedOnTester: (second: number) => (second < 20 ? 0 : second < 28 ? 3 : 6) };
    const found = limits(twice, 'b', failures('tester-ports', 6, 20));
    expect(found.map(seconds)).toEqual([[15, 31]]);
  });

  it('are separate if the tester recovered in between', () => {
    const twice = limits({
      testerHostCpuPercent: (second) => (second < 12 || second > 40 ? 99 : 20),
    });
    expect(twice.map(seconds)).toEqual([
      [0, 12],
      [40, undefined],
    ]);
  });

  it('use its host even if that is measured under the name of another node', () => {
    const curves: Curves = { testerHostCpuPercent: () => undefined };
    const elsewhere = valuesOf({ ...healthy, ...curves });
    const watcher = node('watcher', 'tester', 'b');
    const tester = node('tester', 'tester', 'b');
    const found = testerLimits({
      view: { nodes: [watcher, tester], failures: [] } as unknown as RunView,
      time: { runStartMs: startMs, fromMs: startMs, toMs: startMs + endSeconds * 1000 },
      origin: node('origin', 'origin', 'a'),
      origins: [],
      testers: [tester],
      values: (id, series) =>
        id === 'watcher' && series === 'cpuPercent'
          ? { timeMs: elsewhere('tester', 'packetsPerSecond').timeMs, value: Array<number>(61).fill(99) }
          : elsewhere(id, series),
    });
    expect(found).toMatchObject([{ node: 'tester', kind: 'cpu' }]);
  });

  it('of a run without agent figures use those of its hosts', () => {
    const old = Object.fromEntries(
      testerSeries.filter((series) => series.startsWith('tester')).map((series) => [series, () => undefined]),
    );
    expect(limits({ ...old, cpuPercent: () => 99 })).toMatchObject([{ kind: 'cpu' }]);
    expect(limits({ ...old, udpReceiveBufferErrorsPerSecond: () => 400 }, 'a')).toMatchObject([
      { kind: 'socket-buffers' },
    ]);
  });
});

it('names the member of a group that is at its limit', () => {
  const members = ['load-1', 'load-2', 'load-3'];
  const [limit] = limits(
    { ...healthy, testerHostCpuPercent: between(20, 40, 98, 30), testerWorstMember: between(20, 40, 2, 1) },
    'b',
    [],
    { size: 3, ready: 3, members, missing: [] },
  );
  expect(limit?.sentence).toMatch(/^tester was at its own limit: CPU .* over 5 s on load-2 at 00:00:2/);
});
