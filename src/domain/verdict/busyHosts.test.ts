import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { HostBaseline, OtherLoad } from '../model/otherLoad';
import { defaultExpectations, type Expectations, type SeriesThreshold } from '../model/plan';
import type { FailureStage, RunView, Verdict } from '../model/run';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';
import type { StopReached } from '../evidence/evidence';
import { judgeRun } from './verdict';

const startMs = Date.UTC(2026, 10, 22, 15, 20, 31);
const [rampFrom, holdFrom, endSeconds] = [3, 8, 30];

type Curve = (second: number) => number | undefined;

interface Case {
  readonly curves?: Readonly<Record<string, Curve>>;
  readonly baseline?: Readonly<Record<string, number>>;
  readonly programs?: OtherLoad['programs'];
  readonly expect?: Expectations;
  readonly thresholds?: readonly SeriesThreshold[];
  readonly failures?: RunView['failures'];
  readonly publisherOutages?: RunView['publisherOutages'];
  readonly stop?: StopReached;
  /** The tester is on another host. */
  readonly apart?: boolean;
}

const chrome = [{ name: 'chrome', percent: 61, memoryBytes: 6e9 }];
const at = (seconds: number): number => startMs + seconds * 1000;

/**
 * A lab and a tester on this machine, 100 viewers without problems, on a machine with `cpu` percent in use, `other` of
 * it by other programs.
 */
function judge({ curves = {}, baseline, programs = chrome, expect: expectations, ...more }: Case): Verdict {
  const node = (id: string, role: NodeView['role'], host: string): NodeView => ({
    ...{ id, name: id, role, colourSlot: 1, state: 'live', reach: '', host, streams: [] },
    ...(role === 'origin' ? { server: 'lab' as const } : {}),
  });
  const nodes = [
    node('lab', 'origin', 'this-machine'),
    node('tester', 'tester', more.apart ? 'host tester' : 'this-machine'),
  ];
  const healthy: Record<string, Curve> = {
    'lab cpuPercent': () => 9,
    'lab otherCpuPercent': () => 1,
    'lab processCpuPercent': () => 7,
    'tester viewersConnected': (second) => (second <= rampFrom ? 0 : 100),
    'tester viewersDegraded': () => 0,
    ...curves,
  };
  const values = (id: string, series: SeriesId): Values => {
    const curve = healthy[`${id} ${series}`];
    const seconds = Array.from({ length: endSeconds + 2 }, (_, second) => second);
    const found = seconds.flatMap((second) => {
      const value = curve?.(second);
      return value === undefined ? [] : [{ timeMs: at(second), value }];
    });
    return { timeMs: found.map(({ timeMs }) => timeMs), value: found.map(({ value }) => value) };
  };
  const bases: HostBaseline[] = baseline ? [{ nodes: ['lab', 'tester'], values: baseline }] : [];
  const view: RunView = {
    ...{ id: 'run', name: 'Pull 100', state: 'stopping', nodes, startedMs: startMs, readOnly: false },
    plan: {
      ...{ name: 'Pull 100', publish: [] },
      nodes: { lab: { server: 'lab' }, tester: { tester: 'local' } },
      pull: {
        ...{ stream: 'cam', from: 'lab', by: ['tester'], protocol: 'whep' as const },
        ...{ viewers: 100, ratePerSecond: 50, holdMs: 22_000 },
      },
      expect: expectations ?? defaultExpectations,
      ...(more.thresholds ? { thresholds: more.thresholds } : {}),
    },
    phases: [
      { name: 'prepare', startMs, endMs: startMs },
      { name: 'baseline', startMs, endMs: at(rampFrom) },
      { name: 'ramp', startMs: at(rampFrom), endMs: at(holdFrom) },
      { name: 'hold', startMs: at(holdFrom), endMs: at(endSeconds) },
    ],
    figures: {
      ...{ timeMs: at(endSeconds), requested: 100, connecting: 0, connected: 100, connectedPeak: 100 },
      ...{ failed: 0, degraded: 0, degradedPeak: 0, degradedPercentPeak: 0, present: 100 },
      ...{ rateTarget: 50, rateAchieved: 50, timeToAllMs: 2100, mediaInMbps: 13, packetsPerSecond: 4400 },
    },
    failures: more.failures ?? [],
    ...(more.publisherOutages ? { publisherOutages: more.publisherOutages } : {}),
    baseline: bases,
    otherLoad: [{ node: 'lab', timeMs: at(12), programs }],
  };
  return judgeRun({ view, values, ...(more.stop ? { runEvents: { stopCondition: more.stop } } : {}) }).verdict;
}

const steady =
  (value: number): Curve =>
  () =>
    value;
const busyFrom =
  (second: number, value: number, before = 1): Curve =>
  (each) =>
    each >= second ? value : before;
const busyCpu = (cpu: number, other: number): Record<string, Curve> => ({
  'lab cpuPercent': steady(cpu),
  'lab otherCpuPercent': steady(other),
});

it('names the busy machine and its programs, and does not blame the origin for the CPU of others', () => {
  const verdict = judge({ curves: busyCpu(93, 84) });
  expect(verdict.verdict).toBe('inconclusive');
  expect(verdict.sentence).toBe(
    '100 of 100 viewers connected, but the verdict is inconclusive: this machine was busy: other programs used 84 % of its CPU (top: chrome 61 %).',
  );
  expect(verdict.reasons.map(({ number, sentence, node }) => [number, node, sentence])).toEqual([
    [1, 'lab', 'This machine was busy: other programs used 84 % of its CPU (top: chrome 61 %).'],
    [
      2,
      'lab',
      'CPU of the machine of lab was at 93 % over 5 s at 00:00:08, 9 % without other programs; same host as tester.',
    ],
  ]);
});

it("names the console's own use as its own, with what lowers it", () => {
  const curves = { ...busyCpu(96, 12), 'lab consoleCpuPercent': steady(47) };
  const programs = [{ name: 'Fullhouse console', percent: 50 }, ...chrome];
  expect(judge({ curves, programs }).reasons[0]?.sentence).toBe(
    'This machine was busy: other programs used 12 % of its CPU (top: chrome 12 %), and this console used 47 % of its CPU (close its players and charts, or start the run from the command line).',
  );
  const alone = judge({ curves: { ...curves, 'lab otherCpuPercent': steady(2) } }).reasons[0]?.sentence;
  expect(alone).toMatch(/^This machine was busy: this console used 47 % of its CPU \(close/);
});

it('has one reason for a machine, whatever its other programs spoilt', () => {
  const verdict = judge({
    curves: {
      ...busyCpu(93, 84),
      ...{ 'lab otherCpuPercent': (second) => (second < 12 ? 84 : 79), 'lab gcPauseMs': steady(30) },
      ...{ 'lab processWaitPercent': steady(50), 'tester viewersDegraded': steady(40) },
    },
  });
  expect(verdict.reasons.filter(({ causedBy }) => causedBy === 'machine').map(({ sentence }) => sentence)).toContain(
    'This machine was busy: other programs used 84 % of its CPU (top: chrome 61 %).',
  );
  expect(verdict.reasons.filter(({ sentence }) => sentence.includes('was busy')).length).toBe(1);
});

const onlyCpu: Expectations = { cpu: { comparison: '<=', value: 80 } };
const threshold = (series: SeriesId, value: number, more: Partial<SeriesThreshold> = {}): SeriesThreshold => ({
  ...{ series, comparison: '<=', value },
  ...more,
});
const failed = (cause: string, count: number, stage: FailureStage = 'ice'): RunView['failures'] => [
  {
    ...{ tester: 'tester', stage, cause, count },
    example: { viewer: 1, timeMs: at(6), detail: '' },
  },
];
/** For two seconds only. */
const busyAt = (from: number): Record<string, Curve> => ({
  'lab cpuPercent': (second) => (second >= from && second < from + 2 ? 100 : 9),
  'lab otherCpuPercent': (second) => (second >= from && second < from + 2 ? 80 : 1),
});
const lost = (connected: number): Record<string, Curve> => ({
  'tester viewersConnected': (second) => (second <= rampFrom ? 0 : connected),
});

describe('the CPU of an origin', () => {
  it.each<[string, Case, Verdict['verdict']]>([
    ['within its limit besides others', { curves: busyCpu(79, 60) }, 'pass'],
    ['used by others', { curves: busyCpu(93, 84) }, 'inconclusive'],
    ['used by itself, on an idle machine', { curves: busyCpu(93, 1) }, 'fail'],
    ['used by itself, besides others', { curves: busyCpu(100, 12) }, 'fail'],
    ['that would have met its limit without others', { curves: busyCpu(100, 30) }, 'inconclusive'],
    ['over the limit due to normal background load', { curves: busyCpu(83, 4) }, 'fail'],
    [
      'used by others at first, by itself later',
      {
        curves: {
          'lab cpuPercent': steady(95),
          'lab otherCpuPercent': (second) => (second < 15 ? 80 : 2),
        },
      },
      'fail',
    ],
    ['used by the hypervisor', { curves: { ...busyCpu(95, 2), 'lab stolenCpuPercent': steady(50) } }, 'inconclusive'],
    [
      'of a host without process data that was busy before the first viewer',
      {
        curves: { 'lab cpuPercent': steady(96), 'lab otherCpuPercent': () => undefined },
        baseline: { cpuPercent: 88 },
      },
      'inconclusive',
    ],
    [
      'of a host without process data that was idle before the first viewer',
      {
        curves: { 'lab cpuPercent': steady(96), 'lab otherCpuPercent': () => undefined },
        baseline: { cpuPercent: 6 },
      },
      'fail',
    ],
    [
      'of a host without other data',
      { curves: { 'lab cpuPercent': steady(96), 'lab otherCpuPercent': () => undefined } },
      'fail',
    ],
    [
      "with a plan's own limit below its own use",
      { curves: busyCpu(90, 50), expect: { cpu: { comparison: '<=', value: 30 } } },
      'fail',
    ],
  ])('%s', (_, each, verdict) => {
    expect(judge({ expect: onlyCpu, ...each }).verdict).toBe(verdict);
  });

  it('names the hypervisor, and the load before the first viewer', () => {
    const stolen = judge({ curves: { ...busyCpu(95, 2), 'lab stolenCpuPercent': steady(50) } });
    expect(stolen.reasons[0]?.sentence).toBe('This machine was busy: its hypervisor took 50 % of its CPU.');
    const before = judge({
      curves: { 'lab cpuPercent': steady(96), 'lab otherCpuPercent': () => undefined },
      baseline: { cpuPercent: 88 },
      programs: [],
    });
    expect(before.reasons[0]?.sentence).toBe(
      'This machine was busy: before the first viewer, programs used 88 % of its CPU.',
    );
  });
});

describe('degraded viewers', () => {
  const degraded = { 'tester viewersDegraded': (second: number) => (second >= 15 && second < 22 ? 40 : 0) };
  it.each<[string, Case, Verdict['verdict']]>([
    ['on an idle machine', { curves: degraded }, 'fail'],
    [
      'while others kept every processor busy',
      {
        curves: {
          ...degraded,
          'lab cpuPercent': busyFrom(14, 100, 9),
          'lab otherCpuPercent': busyFrom(14, 70),
        },
      },
      'inconclusive',
    ],
    [
      'while the server waited for a processor used by others',
      {
        curves: {
          ...degraded,
          ...busyCpu(60, 50),
          'lab processWaitPercent': busyFrom(14, 40, 0),
        },
      },
      'inconclusive',
    ],
    [
      'besides others that used too little to keep it from a processor',
      {
        curves: {
          ...{ ...degraded, ...busyCpu(97, 21), 'lab consoleCpuPercent': steady(2) },
          ...{ 'lab processWaitPercent': steady(60), 'lab cpuPressurePercent': steady(70) },
        },
        expect: { degraded: { comparison: '<=', value: 1 } },
      },
      'fail',
    ],
    [
      'while the console itself drew its window',
      { curves: { ...degraded, ...busyCpu(96, 4), 'lab consoleCpuPercent': steady(45) } },
      'inconclusive',
    ],
    ['besides others that left sufficient CPU', { curves: { ...degraded, ...busyCpu(40, 30) } }, 'fail'],
    [
      'by an origin that exhausted the CPU by itself',
      { curves: { ...degraded, ...busyCpu(79, 2) }, expect: { degraded: { comparison: '<=', value: 1 } } },
      'fail',
    ],
    [
      'long after others had ended',
      {
        curves: {
          'tester viewersDegraded': (second) => (second >= 22 ? 40 : 0),
          'lab cpuPercent': (second) => (second < 6 ? 100 : 9),
          'lab otherCpuPercent': (second) => (second < 6 ? 90 : 1),
        },
        expect: { degraded: { comparison: '<=', value: 1 } },
      },
      'fail',
    ],
    [
      'on a tester that others kept busy',
      {
        apart: true,
        curves: {
          ...degraded,
          'tester cpuPercent': steady(88),
          'tester otherCpuPercent': steady(70),
        },
      },
      'inconclusive',
    ],
    [
      'connections that timed out on a busy machine',
      { curves: { ...lost(60), ...busyCpu(100, 80) }, failures: failed('timeout', 40) },
      'inconclusive',
    ],
    ['connections that timed out on an idle one', { curves: lost(60), failures: failed('timeout', 40) }, 'fail'],
    [
      'viewers that failed while the machine was busy',
      {
        curves: { ...lost(60), ...busyAt(10), 'tester viewersFailed': (second) => (second < 12 ? 0 : 40) },
        failures: failed('timeout', 40),
      },
      'inconclusive',
    ],
    [
      'viewers that failed long after the machine was busy',
      {
        curves: { ...lost(60), ...busyAt(5), 'tester viewersFailed': (second) => (second < 22 ? 0 : 40) },
        failures: failed('timeout', 40),
      },
      'fail',
    ],
    ...(['alert', 'consent-lost', 'closed'] as const).map((cause): [string, Case, Verdict['verdict']] => [
      `sessions that ended by ${cause} 15 s after the machine was busy`,
      {
        curves: { ...lost(60), ...busyAt(5), 'tester viewersFailed': (second) => (second < 22 ? 0 : 40) },
        failures: failed(cause, 40, 'media'),
      },
      'inconclusive',
    ]),
    [
      'sessions that ended by an alert on an idle machine',
      {
        curves: { ...lost(60), 'tester viewersFailed': (second) => (second < 22 ? 0 : 40) },
        failures: failed('alert', 40, 'media'),
      },
      'fail',
    ],
    ...(
      [
        ['alert-handshake-failure', 'dtls', 'inconclusive'],
        ['refused', 'ice', 'inconclusive'],
        ['refused', 'tcp', 'fail'],
        ['closed', 'signalling', 'inconclusive'],
        ['http-408', 'signalling', 'inconclusive'],
        ['http-500', 'signalling', 'inconclusive'],
        ['http-504', 'signalling', 'inconclusive'],
        ['http-404', 'media', 'inconclusive'],
        ['http-404', 'signalling', 'fail'],
        ['http-429', 'signalling', 'fail'],
        ['rtsp-453', 'signalling', 'fail'],
        ['unauthorized', 'signalling', 'fail'],
      ] as const
    ).map(([cause, stage, verdict]): [string, Case, Verdict['verdict']] => [
      `viewers that failed at ${stage} by ${cause} on a busy machine`,
      { curves: { ...lost(60), ...busyCpu(100, 80) }, failures: failed(cause, 40, stage) },
      verdict,
    ]),
    [
      'viewers of which a busy machine lost one half and a limited tester the other',
      {
        apart: true,
        curves: {
          ...lost(60),
          ...busyAt(6),
          'tester testerReaderWaitPercent': (second) => (second >= 22 && second < 28 ? 60 : 2),
          'tester viewersFailed': (second) => (second < 8 ? 0 : second < 27 ? 20 : 40),
        },
        failures: failed('timeout', 40),
      },
      'inconclusive',
    ],
    ...[1, 2].map((publishers): [string, Case, Verdict['verdict']] => [
      `viewers of which a busy machine lost one half and a publisher that ended the other, of ${publishers}`,
      {
        curves: {
          ...lost(60),
          ...busyAt(6),
          'tester viewersFailed': (second) => (second < 8 ? 0 : second < 27 ? 20 : 40),
        },
        failures: failed('timeout', 40),
        publisherOutages: [
          {
            ...{ node: 'lab', by: 'tester', stream: 'cam', fromMs: at(24), toMs: at(27), reason: 'It was closed.' },
            publishers: { lost: 1, of: publishers === 1 ? 1 : 10 },
          },
        ],
      },
      publishers === 1 ? 'inconclusive' : 'fail',
    ]),
    [
      'connections that the server refused, busy or not',
      {
        curves: { ...lost(60), ...busyCpu(100, 80) },
        failures: failed('http-503', 40),
      },
      'fail',
    ],
    [
      'in a series of the plan, on a busy machine',
      {
        curves: { ...busyCpu(100, 80), 'tester rttP95Ms': steady(400) },
        expect: {},
        thresholds: [threshold('rttP95Ms', 200)],
      },
      'inconclusive',
    ],
    [
      'in too many viewers, which a busy machine does not cause',
      { curves: busyCpu(100, 80), expect: {}, thresholds: [threshold('viewersConnected', 50)] },
      'fail',
    ],
    [
      'in a series of the plan, on an idle one',
      { curves: { 'tester rttP95Ms': steady(400) }, expect: {}, thresholds: [threshold('rttP95Ms', 200)] },
      'fail',
    ],
  ])('%s', (_, each, verdict) => {
    expect(judge(each).verdict).toBe(verdict);
  });

  it('is reported by a tester that ran out of open files, even on a busy machine', () => {
    const verdict = judge({
      curves: { ...lost(60), ...busyCpu(100, 80) },
      expect: { connected: { comparison: '>=', value: 100 } },
      failures: failed('tester-open-files', 40),
    });
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.reasons.map(({ causedBy }) => causedBy)).toEqual(['tester', 'tester']);
    expect(verdict.reasons[0]?.sentence).toMatch(
      /^tester was at its own limit: 40 viewers failed because it ran out of open files at /,
    );
  });

  it('names the machine of the tester', () => {
    const verdict = judge({
      apart: true,
      curves: { ...degraded, 'tester cpuPercent': steady(88), 'tester otherCpuPercent': steady(70) },
    });
    expect(verdict.reasons[0]?.sentence).toBe('The machine of tester was busy: other programs used 70 % of its CPU.');
  });
});

describe('a pause of the garbage collector', () => {
  const pause = { 'lab gcPauseMs': (second: number) => (second === 20 ? 34 : 0.2) };
  const waits = (percent: number): Record<string, Curve> => ({
    'lab processWaitPercent': (second) => (second === 20 ? percent : 0),
  });
  it.each<[string, Case, Verdict['verdict']]>([
    ['of a process that had its processor', { curves: { ...pause, ...waits(0) } }, 'fail'],
    [
      'of a process that waited while others ran',
      { curves: { ...pause, ...waits(2.6), ...busyCpu(60, 50) } },
      'inconclusive',
    ],
    ['longer than the wait explains', { curves: { ...pause, ...waits(1.5), ...busyCpu(60, 50) } }, 'fail'],
    [
      'of a process that waited because of its own threads',
      { curves: { ...pause, ...waits(90), ...busyCpu(60, 1) } },
      'fail',
    ],
    ['without data about waiting, on a busy machine', { curves: { ...pause, ...busyCpu(100, 95) } }, 'inconclusive'],
    [
      'expected by the plan as a series',
      {
        curves: { ...pause, ...waits(2.6), ...busyCpu(60, 50) },
        expect: {},
        thresholds: [threshold('gcPauseMs', 10)],
      },
      'inconclusive',
    ],
  ])('%s', (_, each, verdict) => {
    const expectations: Expectations = { gcPause: { comparison: '<=', value: 10 } };
    expect(judge({ expect: expectations, ...each }).verdict).toBe(verdict);
  });
});

describe('other resources of a host with a limit in the plan', () => {
  const only = (series: SeriesId, value: number, curve: Curve, more: Case = {}): Case => ({
    expect: {},
    thresholds: [threshold(series, value, { node: 'lab' })],
    ...more,
    curves: { [`lab ${series}`]: curve, ...more.curves },
  });
  it.each<[string, Case, Verdict['verdict']]>([
    [
      'memory that was in use before the first viewer',
      only('memoryUsedBytes', 8e9, steady(9e9), { baseline: { memoryUsedBytes: 8.9e9 } }),
      'inconclusive',
    ],
    [
      'memory that the test filled',
      only('memoryUsedBytes', 8e9, busyFrom(10, 9e9, 3e9), {
        baseline: { memoryUsedBytes: 3e9, otherMemoryBytes: 2.9e9 },
        curves: { 'lab otherMemoryBytes': steady(2.9e9) },
      }),
      'fail',
    ],
    [
      'memory that others filled during the run',
      only('memoryUsedBytes', 8e9, busyFrom(10, 9e9, 3e9), {
        baseline: { memoryUsedBytes: 3e9, otherMemoryBytes: 2.9e9 },
        curves: { 'lab otherMemoryBytes': busyFrom(10, 8.8e9, 2.9e9) },
      }),
      'inconclusive',
    ],
    [
      'traffic from before the first viewer',
      only('networkOutMbps', 100, steady(190), { baseline: { networkOutMbps: 120 } }),
      'inconclusive',
    ],
    [
      'traffic within the limit without what was there before',
      only('networkOutMbps', 100, steady(110), { baseline: { networkOutMbps: 60 } }),
      'inconclusive',
    ],
    [
      'traffic of the test alone',
      only('networkOutMbps', 100, steady(110), { baseline: { networkOutMbps: 0.1 } }),
      'fail',
    ],
    [
      'a disk that was busy before the first viewer',
      only('diskBusyPercent', 50, steady(90), { baseline: { diskBusyPercent: 85 } }),
      'inconclusive',
    ],
    [
      'a disk that the test keeps busy',
      only('diskBusyPercent', 50, steady(90), { baseline: { diskBusyPercent: 1 } }),
      'fail',
    ],
    [
      'CPU, by the same rule as the default',
      only('cpuPercent', 80, steady(93), { curves: { 'lab otherCpuPercent': steady(84) } }),
      'inconclusive',
    ],
    [
      "the origin's own process, whatever else runs",
      only('processCpuPercent', 50, steady(70), { curves: busyCpu(99, 50) }),
      'fail',
    ],
  ])('%s', (_, each, verdict) => {
    expect(judge(each).verdict).toBe(verdict);
  });

  it('is reported with its cause', () => {
    const memory = judge(only('memoryUsedBytes', 8e9, steady(9e9), { baseline: { memoryUsedBytes: 8.9e9 } }));
    expect(memory.reasons[0]?.sentence).toBe(
      'This machine was busy: 8.9 GB of its memory was in use before the first viewer.',
    );
  });
});

describe('a stop condition of the plan', () => {
  const cpu = (value: number): StopReached => ({
    ...{ timeMs: at(20), node: 'lab', expectation: 'cpu', value },
    limit: { comparison: '<=', value: 90, forMs: 5000 },
    sentence: 'Stop condition reached: CPU of lab was over 90 % for 5 s, last 97 %.',
    expected: 'stop at CPU > 90 % for 5 s',
  });
  const degraded: StopReached = {
    ...{ timeMs: at(20), expectation: 'degraded', isOfViewers: true, value: 40 },
    limit: { comparison: '<=', value: 20, forMs: 5000 },
    sentence: 'Stop condition reached: the share of degraded viewers was over 20 % for 5 s, last 40 %.',
    expected: 'stop at the share of degraded viewers > 20 % for 5 s',
  };
  const viewers = (comparison: '<=' | '>='): StopReached => ({
    ...{ timeMs: at(20), node: 'tester', series: 'viewersConnected', value: 100 },
    ...(comparison === '>=' ? { isOfViewers: true } : {}),
    limit: { comparison, value: comparison === '<=' ? 50 : 200, forMs: 1000 },
    sentence: 'Stop condition reached: Viewers of tester.',
    expected: 'stop at Viewers',
  });
  it.each<[string, Case, Verdict['verdict']]>([
    ['of more viewers, which a busy machine does not cause', { stop: viewers('<='), curves: busyCpu(97, 60) }, 'fail'],
    ['of fewer viewers on a busy machine', { stop: viewers('>='), curves: busyCpu(97, 60) }, 'inconclusive'],
    ['reached because of other programs', { stop: cpu(97), curves: busyCpu(97, 60) }, 'inconclusive'],
    ['reached because of the origin', { stop: cpu(97), curves: busyCpu(97, 2) }, 'fail'],
    ['of viewers on a busy machine', { stop: degraded, curves: busyCpu(97, 60) }, 'inconclusive'],
    ['of viewers on an idle one', { stop: degraded }, 'fail'],
  ])('%s', (_, each, verdict) => {
    expect(judge({ expect: {}, ...each }).verdict).toBe(verdict);
  });
});
