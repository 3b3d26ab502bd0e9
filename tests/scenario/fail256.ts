import type { NodeView } from '../../src/domain/model/node';
import type { VerdictReason } from '../../src/domain/model/run';
import { noise, wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Figures, type Scenario } from './scenario';

/**
 * A completed pull of 1,000 that failed: the origin's CPU was exhausted at 256 viewers. The scenario of the FAIL
 * screenshot.
 */
const gib = 2 ** 30;
const startedMs = Date.UTC(2026, 10, 22, 15, 20, 31);
const lengthMs = 624_000;
const requested = 1000;

const share = (second: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (second - from) / (to - from)));
const viewers = (second: number): number => (second >= 621 ? 0 : Math.round(Math.min(260, second * 2.0)));
const asked = (second: number): number => (second >= 621 ? 0 : Math.min(requested, second * 2));
const strain = (second: number): number => share(second, 120, 160);
function degraded(second: number): number {
  if (second < 130 || second >= 621) return 0;
  return Math.round(16 + 12 * Math.sin(second / 24) + 8 * Math.sin(second / 57) + wobble('deg', second, 1.5));
}

function origin(second: number): Figures {
  const full = strain(second);
  return {
    cpuPercent: second > 616 ? 30 : Math.min(98.4, 8 + viewers(second) * 0.35 + wobble('cpu', second, 3)),
    load1: 0.6 + 2.6 * share(second, 0, 130) + 6 * (1 - Math.exp(-Math.max(0, second - 120) / 70)),
    memoryUsedBytes:
      (2.4 + 1.7 * share(second, 0, 130) + 0.9 * (((second + 5) % 26) / 26) * share(second, 40, 90)) * gib,
    originViewers: Math.max(0, viewers(second) - 1),
    originOutMbps: viewers(second) * 0.37,
    processCpuPercent: 380,
    gcPauseMs:
      second === 151 ? 48.2 : 2 + 4 * noise('gc', second) * (0.4 + full) + full * (8 + 24 * noise('gc2', second) ** 6),
  };
}

function tester(node: NodeView, second: number): Figures {
  const count = Math.round(viewers(second) / 2);
  const full = strain(second);
  const wave = Math.sin(second / 24) + 0.6 * Math.sin(second / 57);
  return {
    cpuPercent: 6 + count * 0.17 + (node.id === 'tester-1' ? 2 : 0) + wobble(node.id, second, 1.8),
    load1: 0.3 + count * 0.006,
    memoryUsedBytes: (0.85 + count * 0.0008) * gib,
    mediaInMbps: count * 0.37,
    viewersRequested: asked(second) / 2,
    viewersConnected: count,
    viewersDegraded: Math.round(degraded(second) / 2),
    frameRate: 24.8 - 2.6 * full - 1.3 * full * wave + wobble(`fps${node.id}`, second, 0.2),
    jitterP95Ms: 4 + second / 50 + full * (20 + 9 * wave) + wobble(`jit${node.id}`, second, 1 + 2 * full),
    lossPercent: 0.02 + full * (0.7 + 0.3 * wave) + wobble(`loss${node.id}`, second, 0.02),
    ...(second < 500
      ? {
          connectP50Ms: 150 + full * (3400 + wobble(`p50${node.id}`, second, 500)),
          connectP95Ms: 320 + full * (4900 + wobble(`p95${node.id}`, second, 250)),
        }
      : {}),
  };
}

const lab = (second: number): Figures => ({
  cpuPercent: 6 + wobble('lab', second, 1.6),
  load1: 0.4,
  memoryUsedBytes: 3.3 * gib,
  processCpuPercent: 1,
  gcPauseMs: 0.2 + wobble('labgc', second, 0.05),
});

function reason(number: number, second: number, of: Partial<VerdictReason>): VerdictReason {
  return { number, sentence: '', expected: '', timeMs: startedMs + second * 1000, ...of };
}

export function fail256(): Scenario {
  const nodes = [
    nodeOf('atom-c2550', 'origin', 1, {
      machine: machineOf(4, 8),
      streams: [{ stream: 'cam-240p', source: 'WHIP', viewers: 0, fps: 25 }],
    }),
    nodeOf('tester-1', 'tester', 2, {}),
    nodeOf('tester-2', 'tester', 3, {}),
    nodeOf('lab', 'origin', 4, { name: 'lab', state: 'idle' }),
  ];
  return {
    nodes,
    startedMs,
    lengthMs,
    ended: true,
    requested,
    expectations: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10 } },
    phases: [
      { name: 'ramp', startMs: startedMs, endMs: startedMs + 500_000 },
      { name: 'hold', startMs: startedMs + 500_000, endMs: startedMs + 620_000 },
      { name: 'drain', startMs: startedMs + 620_000, endMs: startedMs + lengthMs },
    ],
    events: [],
    reasons: [
      reason(1, 134, { expectation: 'cpu', node: 'atom-c2550' }),
      reason(2, 192, { expectation: 'degraded' }),
      reason(3, 151, { expectation: 'gcPause', node: 'atom-c2550' }),
      reason(4, 167, { expectation: 'connected' }),
    ],
    samples: (fromMs, toMs) =>
      batchOf(nodes, startedMs, fromMs, toMs, (node, second) => {
        if (node.id === 'lab') return lab(second);
        return node.role === 'origin' ? origin(second) : tester(node, second);
      }),
  };
}
