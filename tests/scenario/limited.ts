import { wobble } from './noise';
import type { RunEvent, RunFigures, RunView } from '../../src/domain/model/run';
import { batchOf, machineOf, nodeOf, type Scenario } from './scenario';

/**
 * An inconclusive pull: the tester ran out of CPU at 70 s, so the figures of its viewers are unreliable from then on.
 */
const startedMs = Date.UTC(2026, 10, 23, 10, 4, 9);
const limitSecond = 70;

const share = (second: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (second - from) / (to - from)));

const at = (seconds: number): number => startedMs + seconds * 1000;

function runOf(isEnded: boolean): Partial<RunView> {
  const figures: Partial<RunFigures> = {
    connecting: isEnded ? 0 : 3,
    connected: isEnded ? 0 : 815,
    connectedPeak: isEnded ? 1000 : 815,
    failed: isEnded ? 0 : 4,
    degraded: isEnded ? 0 : 58,
    degradedPeak: 61,
    degradedPercentPeak: 6.1,
    present: isEnded ? 0 : 818,
    rateTarget: isEnded ? 0 : 10,
    rateAchieved: isEnded ? 0 : 2.3,
    fullInMs: undefined,
    originViewers: isEnded ? 0 : 815,
    originDegraded: undefined,
  };
  return {
    name: 'Pull 1000',
    plan: {
      name: 'Pull 1000',
      nodes: {
        'xeon-48': { server: 'wcs', url: 'http://xeon-48:8081' },
        'tester-1': { tester: 'ssh', ssh: 'qa@tester-1' },
      },
      publish: [{ stream: 'cam-240p', node: 'xeon-48', source: 'external' }],
      pull: {
        stream: 'cam-240p',
        from: 'xeon-48',
        by: ['tester-1'],
        protocol: 'whep',
        viewers: 1000,
        ratePerSecond: 10,
        holdMs: 40_000,
      },
      expect: {
        degraded: { comparison: '<=', value: 1 },
        cpu: { comparison: '<=', value: 80 },
        gcPause: { comparison: '<=', value: 10 },
      },
    },
    endsMs: isEnded ? undefined : at(250),
    figures: figures as RunFigures,
    failures: isEnded
      ? []
      : [
          {
            tester: 'tester-1',
            stage: 'ice',
            cause: 'tester-open-files',
            count: 3,
            example: { viewer: 812, timeMs: at(118), detail: 'socket: too many open files' },
          },
          {
            tester: 'tester-1',
            stage: 'first-packet',
            cause: 'silent',
            count: 1,
            example: { viewer: 701, timeMs: at(117), detail: 'DTLS done in 1.9 s, 0 RTP packets after' },
          },
        ],
    testerLimits: [
      {
        node: 'tester-1',
        kind: 'cpu',
        fromMs: at(70),
        viewers: 700,
        sentence: 'tester-1 ran out of CPU: 90 % at 00:01:10, 97 % from 00:01:31 to the end.',
        expected: 'a tester needs CPU headroom, ≤ 90 % · 700 viewers connected',
      },
    ],
    verdict: isEnded
      ? {
          verdict: 'inconclusive',
          sentence: '1,000 viewers connected, but tester-1 ran out of CPU at 00:01:10.',
          reasons: [
            {
              number: 1,
              sentence: 'tester-1 ran out of CPU: 90 % at 00:01:10, 97 % from 00:01:31 to the end.',
              expected: 'a tester needs CPU headroom, ≤ 90 % · 700 viewers connected',
              timeMs: at(70),
              node: 'tester-1',
            },
            {
              number: 2,
              sentence:
                'Its kernel dropped 18,402 packets in the receive buffer, so loss and freezes are partly its own.',
              expected: 'RcvbufErrors, UDP',
              timeMs: at(79),
              node: 'tester-1',
            },
          ],
          headroom: ['CPU of xeon-48: max 33 %, limit 80 %; GC pauses max 3.3 ms.'],
        }
      : undefined,
  };
}

const events: readonly RunEvent[] = [
  {
    id: 1,
    timeMs: at(70),
    kind: 'threshold',
    mark: 'limit',
    node: 'tester-1',
    who: 'tester-1',
    sentence: 'Tester-limited: own CPU over 90 % at 700 viewers',
  },
  {
    id: 2,
    timeMs: at(72),
    kind: 'threshold',
    mark: 'none',
    who: 'audience',
    sentence: 'Connection rate below plan: 6.1 of 10 /s',
  },
];

/** `helpers`: testers of the fleet that are not in the plan. */
function scenario(isEnded: boolean, helpers: number): Scenario {
  const lengthMs = isEnded ? 240_000 : 122_000;
  const nodes = [
    nodeOf('xeon-48', 'origin', 1, {
      settings: { server: 'wcs', url: 'http://xeon-48:8081' },
      software: 'WCS 5.2.2077',
      machine: machineOf(48, 64),
      streams: [{ stream: 'cam-240p', source: 'WHIP', viewers: 0, fps: 25 }],
    }),
    nodeOf('tester-1', 'tester', 2, {
      settings: { tester: 'ssh', ssh: 'qa@tester-1' },
      software: 'agent 0.3.1',
      machine: machineOf(4, 8),
      viewerLimit: 744,
    }),
  ];
  const others = ['tester-2', 'tester-3'].slice(0, helpers).map((id, index) =>
    nodeOf(id, 'tester', 3 + index, {
      settings: { tester: 'ssh', ssh: `qa@${id}` },
      viewerLimit: index === 0 ? undefined : 4000,
      host: index === 0 ? id : 'tester-1',
    }),
  );
  return {
    nodes,
    startedMs,
    fleet: [...nodes, ...others],
    lengthMs,
    ended: isEnded,
    requested: 1000,
    expectations: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10 } },
    phases: isEnded
      ? [
          { name: 'ramp', startMs: startedMs, endMs: startedMs + 200_000 },
          { name: 'hold', startMs: startedMs + 200_000, endMs: startedMs + lengthMs },
        ]
      : [{ name: 'ramp', startMs: startedMs }],
    events,
    run: runOf(isEnded),
    reasons: [],
    doubtful: [{ fromMs: startedMs + limitSecond * 1000, label: 'tester-limited' }],
    samples: (fromMs, toMs) =>
      batchOf(nodes, startedMs, fromMs, toMs, (node, second) => {
        const viewers = Math.round(700 * share(second, 0, limitSecond) + 300 * share(second, limitSecond, 200));
        const full = share(second, limitSecond, limitSecond + 25);
        if (node.role === 'origin')
          return {
            cpuPercent: 4 + viewers * 0.026 + wobble('cpu', second, 1.5),
            load1: 0.8 + viewers * 0.0034,
            originViewers: viewers,
            originOutMbps: viewers * 0.386,
            processCpuPercent: 200,
            gcPauseMs: 2 + wobble('gc', second, 1),
          };
        return {
          cpuPercent: Math.min(99, 9 + viewers * 0.115 + wobble('t', second, 1)),
          load1: 0.4 + 7 * share(second, 0, 150) ** 2,
          viewersRequested: Math.min(1000, second * 10),
          viewersConnected: viewers,
          viewersDegraded: Math.round(58 * full + full * wobble('deg', second, 3)),
          mediaInMbps: viewers * 0.37,
          frameRate: 24.8 - 4.2 * full + wobble('fps', second, 0.2),
          jitterP95Ms: 4 + 23 * full + wobble('jit', second, 0.4 + 2 * full),
          lossPercent: 0.01 + 0.5 * full,
          ...(second < 200
            ? {
                connectP50Ms: 180 + 900 * full + wobble('p50', second, 20),
                connectP95Ms: 350 + 2200 * full + wobble('p95', second, 80),
              }
            : {}),
        };
      }),
  };
}

export const limited = (): Scenario => scenario(true, 1);
/** The same run at 122 s, with a choice of two testers. */
export const limitedLive = (): Scenario => scenario(false, 2);
/** The same without another tester. */
export const limitedAlone = (): Scenario => scenario(true, 0);
