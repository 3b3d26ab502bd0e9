import type { NodeView } from '../../src/domain/model/node';
import { wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Figures, type Scenario } from './scenario';

/** A run with many nodes: some never responded, some stopped responding, and some have only their API. */
const startedMs = Date.UTC(2026, 10, 24, 14, 0, 0);
const lengthMs = 180_000;
const gib = 2 ** 30;

const failures = [
  'SSH to 10.20.3.41 timed out after 10 s; check that port 22 is open there.',
  'SSH to 10.20.3.42 was refused: no key and no password fits. Enter a secret.',
  'The host key changed since 2 Nov, so nothing was sent.',
] as const;

function nodes(count: number): readonly NodeView[] {
  const nowMs = startedMs + lengthMs;
  const origins = Math.max(2, Math.round(count / 10));
  const failed = Math.round(count * 0.3);
  return Array.from({ length: count }, (_, index): NodeView => {
    const slot = index + 1;
    if (index < origins)
      return nodeOf(index === 0 ? 'origin' : `edge-frankfurt-${index}.streaming`, 'origin', slot, {
        server: 'srs',
        settings: { server: 'srs', url: `http://10.20.1.${slot}:1985`, ssh: `qa@10.20.1.${slot}` },
        software: 'SRS 7.0.24',
        reach: 'REST 1985',
        links: [
          { kind: 'api', label: 'REST 1985', state: 'live' },
          { kind: 'ssh', label: 'SSH', state: 'live' },
        ],
        can: {
          publish: ['whip', 'rtmp'],
          pull: ['whep', 'rtmp'],
          play: ['whep'],
          serves: ['whep', 'rtmp'],
          measure: ['CPU', 'load', 'memory', 'network', 'streams', 'viewers'],
          terminate: true,
        },
        clock: { offsetMs: 1.8, uncertaintyMs: 0.4 },
        machine: machineOf(8, 16),
        streams: index === 0 ? [{ stream: 'cam', source: 'WHIP', viewers: 900, fps: 25 }] : [],
        streamCount: index === 0 ? 1 : 0,
        lastSampleMs: nowMs - 1000,
      });
    const name = `tester-${index - origins + 1}`;
    const isFailed = index >= count - failed;
    return nodeOf(name, 'tester', slot, {
      settings: { tester: 'ssh', ssh: `qa@10.20.3.${slot}` },
      reach: 'SSH',
      links: [
        { kind: 'ssh', label: 'SSH', state: isFailed ? 'lost' : 'live' },
        { kind: 'agent', label: 'agent', state: isFailed ? 'off' : 'live' },
      ],
      ...(isFailed
        ? {
            state: 'failed' as const,
            problem: failures[index % failures.length],
            fix: 'reconnect' as const,
          }
        : {
            software: 'agent 0.3.1',
            can: {
              publish: ['whip' as const],
              pull: ['whep' as const],
              play: [],
              serves: [],
              measure: ['CPU', 'load', 'memory', 'network', 'process'],
              terminate: false,
            },
            clock: { offsetMs: -0.3, uncertaintyMs: 0.2 },
            machine: machineOf(4, 8),
            viewerLimit: 420,
            lastSampleMs: nowMs - (index === origins ? 12_000 : 1000),
            ...(index === origins ? { state: 'stale' as const, problem: `${name} has not responded for 12 s.` } : {}),
          }),
    });
  });
}

function figures(node: NodeView, second: number, testers: number): Figures {
  if (node.state === 'failed' || (node.state === 'stale' && second > lengthMs / 1000 - 12)) return {};
  const share = Math.min(1, second / 120);
  const viewers = node.role === 'tester' ? Math.round((900 / testers) * share) : 900 * share;
  const common: Figures = {
    cpuPercent: Math.min(99, 12 + ((node.colourSlot * 7) % 40) + 20 * share + wobble(node.id, second, 4)),
    load1: 0.4 + share + wobble('load', second, 0.1),
    memoryUsedBytes: (1 + ((node.colourSlot * 3) % 10) * 0.3) * gib,
    processCpuPercent: 40,
    networkInMbps: 20 + wobble(`in${node.id}`, second, 2),
    networkOutMbps: viewers * 0.17,
  };
  if (node.role === 'origin')
    return node.id === 'origin'
      ? { ...common, originViewers: Math.round(viewers), originOutMbps: viewers * 0.17 }
      : common;
  return {
    ...common,
    viewersRequested: 900 / testers,
    viewersConnected: viewers,
    viewersDegraded: 0,
    arrivalRateAchieved: second < 120 ? 7.5 / testers : 0,
    mediaInMbps: viewers * 0.17 + wobble(`media${node.id}`, second, 0.4),
    packetsPerSecond: viewers * 40,
    lossPercent: 0.05,
    frameRate: 24.8 + wobble(`fps${node.id}`, second, 0.3),
    connectP50Ms: 60 + 3 * node.colourSlot + wobble(`con${node.id}`, second, 10),
    connectP95Ms: 140 + wobble(`c95${node.id}`, second, 30),
    jitterP95Ms: 3 + 0.2 * node.colourSlot + wobble(`jit${node.id}`, second, 1),
    rttP95Ms: 2 + 0.3 * node.colourSlot + wobble(`rtt${node.id}`, second, 0.6),
  };
}

function manyNodes(count: number): Scenario {
  const fleet = nodes(count);
  const testers = fleet.filter(({ role, state }) => role === 'tester' && state !== 'failed').length;
  const [origin] = fleet;
  return {
    nodes: fleet,
    fleet,
    startedMs,
    lengthMs,
    ended: false,
    requested: 1000,
    expectations: { cpu: { comparison: '<=', value: 80 } },
    phases: [
      { name: 'ramp', startMs: startedMs, endMs: startedMs + 120_000 },
      { name: 'hold', startMs: startedMs + 120_000 },
    ],
    events: [],
    reasons: [],
    run: {
      name: `Pull 1000 by ${testers} testers`,
      plan: {
        name: 'Pull 1000',
        nodes: Object.fromEntries(fleet.flatMap(({ name, settings }) => (settings ? [[name, settings]] : []))),
        publish: [],
        pull: {
          stream: 'cam',
          from: origin?.name ?? '',
          by: fleet.filter(({ role }) => role === 'tester').map(({ name }) => name),
          protocol: 'whep',
          viewers: 1000,
          ratePerSecond: 10,
          holdMs: 120_000,
        },
        expect: { cpu: { comparison: '<=', value: 80 } },
      },
    },
    samples: (fromMs, toMs) =>
      batchOf(fleet, startedMs, fromMs, toMs, (node, second) => figures(node, second, testers)),
  };
}

export const nodes20 = (): Scenario => manyNodes(20);
export const nodes40 = (): Scenario => manyNodes(40);
/** The same nodes without a run. */
export const nodes20Idle = (): Scenario => ({ ...manyNodes(20), ended: true });
export const nodes40Idle = (): Scenario => ({ ...manyNodes(40), ended: true });
