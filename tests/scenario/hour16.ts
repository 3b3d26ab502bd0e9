import type { NodeView } from '../../src/domain/model/node';
import type { RunEvent } from '../../src/domain/model/run';
import { noise, wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Figures, type Scenario } from './scenario';

/** One hour at 1 Hz with 16 nodes, all series noisy: the maximum that the window supports. */
const startedMs = Date.UTC(2026, 10, 24, 8, 0, 0);
const gib = 2 ** 30;
const hourSeconds = 3600;

function figures(node: NodeView, second: number): Figures {
  const share = Math.min(1, second / 900);
  const viewers = node.role === 'tester' ? Math.round((1000 / 15) * share) : 1000 * share;
  const wave = Math.sin(second / 130 + node.colourSlot);
  const common: Figures = {
    cpuPercent: Math.min(99, 20 + 2 * node.colourSlot + 30 * share + 6 * wave + wobble(node.id, second, 4)),
    load1: 0.4 + 3 * share + 0.4 * wave + wobble('load', second, 0.1),
    memoryUsedBytes: (1 + node.colourSlot * 0.3 + ((second + node.colourSlot * 9) % 90) / 120) * gib,
    processCpuPercent: 40,
    gcPauseMs: 1 + 4 * noise(`gc${node.id}`, second) ** 3,
    networkInMbps: 20 + wobble(`in${node.id}`, second, 2),
    networkOutMbps: viewers * 0.17,
  };
  if (node.role === 'origin') return { ...common, originViewers: Math.round(viewers), originOutMbps: viewers * 0.17 };
  return {
    ...common,
    viewersRequested: viewers,
    viewersConnected: viewers,
    viewersDegraded: noise(`deg${node.id}`, second) > 0.97 ? 1 : 0,
    arrivalRateAchieved: second < 900 ? 1000 / 900 / 15 : 0,
    mediaInMbps: viewers * 0.17 + wobble(`media${node.id}`, second, 0.4),
    packetsPerSecond: viewers * 40 + wobble(`pps${node.id}`, second, 60),
    lossPercent: 0.05 + 0.05 * noise(`loss${node.id}`, second),
    frameRate: 24.8 + wobble(`fps${node.id}`, second, 0.3),
    connectP50Ms: 60 + 3 * node.colourSlot + wobble(`con${node.id}`, second, 10),
    connectP95Ms: 140 + wobble(`c95${node.id}`, second, 30),
    firstFrameP50Ms: 320 + wobble(`ff${node.id}`, second, 60),
    jitterP95Ms: 3 + 0.2 * node.colourSlot + wobble(`jit${node.id}`, second, 1),
    rttP95Ms: 2 + 0.3 * node.colourSlot + wobble(`rtt${node.id}`, second, 0.6),
  };
}

export function hour16(): Scenario {
  const nodes = [
    nodeOf('origin', 'origin', 1, {
      machine: machineOf(8, 16),
      streams: [{ stream: 'cam', source: 'sample-240p', viewers: 1000, fps: 25 }],
    }),
    ...Array.from({ length: 15 }, (_, index) => nodeOf(`tester-${index + 1}`, 'tester', index + 2, {})),
  ];
  const events = Array.from({ length: 20 }, (_, index): RunEvent => ({
    id: index,
    timeMs: startedMs + (index + 1) * 170_000,
    kind: 'note',
    mark: index % 3 === 0 ? 'limit' : 'note',
    who: 'you',
    sentence: 'A mark',
  }));
  return {
    nodes,
    startedMs,
    lengthMs: hourSeconds * 1000,
    ended: false,
    requested: 1000,
    expectations: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10 } },
    phases: [
      { name: 'ramp', startMs: startedMs, endMs: startedMs + 900_000 },
      { name: 'hold', startMs: startedMs + 900_000 },
    ],
    events,
    reasons: [],
    samples: (fromMs, toMs) => batchOf(nodes, startedMs, fromMs, toMs, figures),
  };
}
