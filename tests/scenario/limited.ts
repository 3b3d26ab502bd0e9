import { wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Scenario } from './scenario';

/** A pull without a verdict: the tester ran out of CPU at 70 s, so what its viewers saw is doubtful from then on. */
const startedMs = Date.UTC(2026, 10, 23, 10, 4, 9);
const lengthMs = 240_000;
const limitSecond = 70;

const share = (second: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (second - from) / (to - from)));

export function limited(): Scenario {
  const nodes = [
    nodeOf('xeon-48', 'origin', 1, {
      machine: machineOf(48, 64),
      streams: [{ stream: 'cam-240p', source: 'WHIP', viewers: 0, fps: 25 }],
    }),
    nodeOf('tester-1', 'tester', 2, { machine: machineOf(4, 8) }),
    nodeOf('tester-2', 'tester', 3, { state: 'idle' }),
  ];
  return {
    nodes,
    startedMs,
    lengthMs,
    ended: true,
    requested: 1000,
    expectations: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10 } },
    phases: [
      { name: 'ramp', startMs: startedMs, endMs: startedMs + 200_000 },
      { name: 'hold', startMs: startedMs + 200_000, endMs: startedMs + lengthMs },
    ],
    events: [],
    reasons: [],
    doubtful: { fromMs: startedMs + limitSecond * 1000, label: 'tester-limited' },
    samples: (fromMs, toMs) =>
      batchOf(nodes, startedMs, fromMs, toMs, (node, second) => {
        const viewers = Math.round(
          700 * share(second, 0, limitSecond) + 300 * share(second, limitSecond, 200),
        );
        const full = share(second, limitSecond, limitSecond + 25);
        if (node.id === 'tester-2') return {};
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
