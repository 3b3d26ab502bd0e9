import type { Phase } from '../../src/domain/model/run';
import { wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Figures, type Scenario } from './scenario';

/**
 * A calibration on a node in use: 20 to 100 viewers of 2 Mbit/s in five steps. At 2.4 % of four cores for ten viewers
 * the limit is about 310.
 */
const gib = 2 ** 30;
const startedMs = Date.UTC(2026, 10, 22, 15, 20, 31);
const stepSeconds = 24;
const arrivalSeconds = 4;
const steps = 5;
const by = 20;
const lengthMs = (steps * stepSeconds + 2) * 1000;

function viewers(second: number): number {
  const step = Math.floor(second / stepSeconds);
  if (step >= steps) return 0;
  return Math.round(by * (step + Math.min(1, (second % stepSeconds) / arrivalSeconds)));
}

function origin(second: number): Figures {
  const count = viewers(second);
  return {
    cpuPercent: 6.2 + count * 0.24 + wobble('cpu', second, 1.1),
    load1: 0.4 + count * 0.009,
    memoryUsedBytes: (2.4 + count * 0.0034 + wobble('memory', second, 0.015)) * gib,
    processCpuPercent: 9 + count * 0.81 + wobble('process', second, 3),
    processMemoryBytes: (1.1 + count * 0.0031 + wobble('heap', second, 0.012)) * gib,
    processOpenFiles: 210 + count * 2,
    processThreads: 96 + Math.round(count / 10) + Math.round(wobble('threads', second, 1)),
    networkOutMbps: 0.4 + count * 2.08 + wobble('out', second, 0.9),
    originViewers: count,
    originOutMbps: count * 2.01,
    originPacketsPerSecond: count * 236 + wobble('packets', second, 60),
    originConnections: count + 3,
    gcPauseMs: 1.2 + wobble('gc', second, 0.6),
  };
}

function tester(second: number): Figures {
  const count = viewers(second);
  return {
    cpuPercent: 5 + count * 0.1 + wobble('tester', second, 1),
    viewersRequested: count,
    viewersConnected: count,
    viewersDegraded: 0,
    mediaInMbps: count * 2.01,
    packetsPerSecond: count * 236,
    frameRate: 24.9,
    jitterP95Ms: 4 + wobble('jitter', second, 1),
  };
}

export function smallLoad(): Scenario {
  const nodes = [
    nodeOf('atom-c2550', 'origin', 1, {
      machine: { ...machineOf(4, 8), openFilesLimit: 20_000 },
      capacity: { mbps: 941, protocol: 'tcp', between: 'tester-1', direction: 'out', measuredMs: startedMs },
      streams: [{ stream: 'cam-240p', source: 'WHIP', viewers: 0, fps: 25 }],
    }),
    nodeOf('tester-1', 'tester', 2, {}),
  ];
  const phases = Array.from({ length: steps }, (_, step): Phase[] => {
    const fromMs = startedMs + step * stepSeconds * 1000;
    const fullMs = fromMs + arrivalSeconds * 1000;
    return [
      { name: 'ramp', startMs: fromMs, endMs: fullMs },
      { name: 'hold', startMs: fullMs, endMs: fromMs + stepSeconds * 1000 },
    ];
  }).flat();
  return {
    nodes,
    startedMs,
    lengthMs,
    ended: true,
    requested: steps * by,
    expectations: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10 } },
    phases: [...phases, { name: 'drain', startMs: startedMs + lengthMs - 2000, endMs: startedMs + lengthMs }],
    events: [],
    reasons: [],
    run: {
      name: 'Estimate for Pull 1000',
      verdict: {
        verdict: 'pass',
        sentence: 'All 100 viewers connected; all expectations met.',
        reasons: [],
        headroom: ['CPU of atom-c2550: max 31.2 % over 5 s, limit 80 %.'],
      },
      failures: [],
    },
    samples: (fromMs, toMs) =>
      batchOf(nodes, startedMs, fromMs, toMs, (node, second) =>
        node.role === 'origin' ? origin(second) : tester(second),
      ),
  };
}
