import type { NodeView } from '../../src/domain/model/node';
import type { RunEvent } from '../../src/domain/model/run';
import { noise, wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Figures, type Scenario } from './scenario';

/**
 * A pull of 1,000, live at 742: the origin's CPU is exhausted near 590 viewers, one tester does not respond for seven
 * seconds, two freezes. The scenario of the first screenshot.
 */
const gib = 2 ** 30;
const startedMs = Date.UTC(2026, 10, 24, 16, 39, 47);
const lengthMs = 124_000;
const requested = 1000;

const ramp = (second: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (second - from) / (to - from)));

function asked(second: number): number {
  return 250 * ramp(second, 0, 25) + 640 * ramp(second, 60, 124);
}
/** The arrival rate falls below plan once the origin is busy. */
function viewers(second: number): number {
  const late = Math.max(0, second - 96);
  return asked(second) - 0.19 * late ** 2;
}
function degraded(second: number): number {
  return Math.round(23 * ramp(second, 101, 122) ** 0.8);
}
const freeze = (second: number): number => (Math.abs(second - 107) < 2 || Math.abs(second - 119) < 2 ? 1 : 0);
/** Memory falls at each collection. */
const sawtooth = (second: number): number => ((second + 11) % 17) / 17;

const share: Record<string, number> = { 'tester-1': 0.58, 'tester-2': 0.42 };

function origin(second: number): Figures {
  const count = viewers(second);
  const strain = ramp(second, 92, 124);
  return {
    cpuPercent: Math.min(96, 16 + count * 0.107 + (second < 25 ? second * 0.15 : 0) + wobble('cpu', second, 2.2)),
    load1: 0.5 + 4.9 * ramp(second, 0, 130) ** 1.5,
    memoryUsedBytes: (2.3 + 2 * ramp(second, 0, 90) + 0.7 * sawtooth(second) * ramp(second, 15, 40)) * gib,
    networkOutMbps: count * 0.376,
    originViewers: Math.round(count - 2 * strain),
    originOutMbps: count * 0.376,
    originDegraded: Math.round(degraded(second) * 0.8),
    processCpuPercent: 300,
    gcPauseMs: 1.4 + 2.6 * noise('gc', second) + strain * (4 + 7 * noise('gc2', second) ** 2),
  };
}

function tester(node: NodeView, second: number): Figures {
  const part = share[node.id] ?? 0;
  const count = Math.round(viewers(second) * part);
  const strain = ramp(second, 86, 118);
  const jitter = node.id === 'tester-1' ? 0.6 : 0;
  const arriving = second < 25 || second >= 60;
  const isSilent = node.id === 'tester-2' && second > 68 && second < 76;
  const host: Figures = isSilent
    ? {}
    : {
        cpuPercent: 6 + count * 0.062 + wobble(node.id, second, 1.6),
        load1: 0.3 + 0.0043 * count + wobble('load', second, 0.02),
        memoryUsedBytes: (0.85 + count * 0.0006) * gib,
        mediaInMbps: count * 0.375,
      };
  return {
    ...host,
    viewersRequested: asked(second) * part,
    viewersConnected: count,
    viewersDegraded: Math.round(degraded(second) * part),
    arrivalRateAchieved: (10 - 5 * strain) * part,
    frameRate: 24.9 - strain - 1.8 * freeze(second) + wobble(`fps${node.id}`, second, 0.1),
    jitterP95Ms:
      3.2 + jitter + 12 * strain + 3 * freeze(second) * strain + wobble(`jit${node.id}`, second, 0.5 + strain),
    lossPercent: 0.01 + 0.3 * strain + 0.12 * freeze(second) * strain,
    ...(arriving
      ? {
          connectP50Ms: 130 + 420 * strain + wobble(`p50${node.id}`, second, 8),
          connectP95Ms: 300 + 1750 * strain + wobble(`p95${node.id}`, second, 60),
        }
      : {}),
  };
}

function lab(second: number): Figures {
  return {
    cpuPercent: 5.5 + wobble('lab', second, 0.8),
    load1: 0.4,
    memoryUsedBytes: 3.3 * gib,
    processCpuPercent: 1,
    gcPauseMs: 0.2 + wobble('labgc', second, 0.05),
  };
}

const event = (id: number, second: number, of: Partial<RunEvent>): RunEvent => ({
  id,
  timeMs: startedMs + second * 1000,
  kind: 'threshold',
  mark: 'none',
  who: 'run',
  sentence: '',
  ...of,
});

export function pull742(): Scenario {
  const stream = { stream: 'cam-240p', source: 'WHIP', viewers: 742, fps: 25 };
  const nodes = [
    nodeOf('atom-c2550', 'origin', 1, { machine: machineOf(4, 8), streams: [stream] }),
    nodeOf('tester-1', 'tester', 2, {}),
    nodeOf('tester-2', 'tester', 3, {}),
    nodeOf('lab', 'origin', 4, { name: 'lab', state: 'idle' }),
  ];
  return {
    nodes,
    startedMs,
    lengthMs,
    ended: false,
    requested,
    expectations: {
      cpu: { comparison: '<=', value: 80 },
      gcPause: { comparison: '<=', value: 10 },
      degraded: { comparison: '<=', value: 1 },
    },
    phases: [
      { name: 'ramp', startMs: startedMs, endMs: startedMs + 25_000 },
      { name: 'hold', startMs: startedMs + 25_000, endMs: startedMs + 60_000 },
      { name: 'ramp', startMs: startedMs + 60_000 },
    ],
    events: [
      event(1, 0, { kind: 'run', sentence: 'Run started' }),
      event(2, 72, {
        kind: 'node',
        mark: 'lost',
        node: 'tester-2',
        who: 'tester-2',
        sentence: 'No response for 3 s',
      }),
      event(3, 81, {
        kind: 'node',
        mark: 'recovered',
        node: 'tester-2',
        who: 'tester-2',
        sentence: 'Responds again',
      }),
      event(4, 94, {
        mark: 'limit',
        node: 'atom-c2550',
        who: 'atom-c2550',
        sentence: 'CPU over 80 % at 590 viewers',
      }),
      event(5, 104, { mark: 'degraded', who: 'audience', sentence: 'Degraded viewers over 1 %: 8 of 659' }),
      event(6, 107, { kind: 'player', mark: 'freeze', who: 'player', sentence: 'Picture stalled for 0.8 s' }),
      event(7, 121, { kind: 'note', mark: 'note', who: 'you', sentence: 'Allocation stalls in the ZGC log' }),
    ],
    reasons: [],
    extrapolation: {
      fromMs: startedMs + lengthMs,
      fromValue: viewers(lengthMs / 1000),
      toMs: startedMs + lengthMs + 56_000,
      toValue: requested,
    },
    samples: (fromMs, toMs) =>
      batchOf(nodes, startedMs, fromMs, toMs, (node, second) => {
        if (node.id === 'lab') return lab(second);
        return node.role === 'origin' ? origin(second) : tester(node, second);
      }),
  };
}
