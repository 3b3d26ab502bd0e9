import type { NodeView } from '../../src/domain/model/node';
import { wobble } from './noise';
import { batchOf, machineOf, nodeOf, type Figures, type Scenario } from './scenario';

/**
 * A fleet that is watched without a run: edges of three regions with their streams, testers, and at every scale a node
 * that stopped responding, one that could not be reached, one with a problem and some under high load.
 */
const gib = 2 ** 30;
const second = 1000;

const regions = ['fra', 'ams', 'iad'] as const;

function streamsOf(index: number): NodeView['streams'] {
  return Array.from({ length: 1 + (index % 4) }, (_, at) => ({
    stream: `cam-${index}-${at + 1}`,
    source: at === 3 ? 'no publisher' : at % 2 === 0 ? `WHIP · studio-${index}` : `RTMP · 10.20.4.${index}`,
    viewers: at === 3 ? 0 : (index * 37 + at * 11) % 140,
    videoCodec: 'H264',
    audioCodec: at === 1 ? undefined : 'opus',
    width: 1280,
    height: 720,
    fps: 25,
    bitrateKbps: at === 3 ? undefined : 1800 + 40 * at,
    ageMs: (index + 1) * 3_600_000 + at * 61_000,
  }));
}

function nodes(count: number, nowMs: number): readonly NodeView[] {
  const testers = Math.round(count / 10);
  return Array.from({ length: count }, (_, index): NodeView => {
    const slot = index + 1;
    const live = { lastSampleMs: nowMs - second, machine: machineOf(8, 16) };
    if (index >= count - testers)
      return nodeOf(`tester-${index - (count - testers) + 1}`, 'tester', slot, {
        settings: { tester: 'ssh', ssh: `qa@10.20.3.${slot}` },
        software: 'agent 0.3.1',
        ...live,
      });
    const name = `${regions[index % regions.length]}-edge-${String(index + 1).padStart(2, '0')}`;
    const trouble = count >= 50 ? index % 25 : index;
    const state: Partial<NodeView> =
      trouble === 4
        ? { state: 'stale', lastSampleMs: nowMs - 100 * second, problem: `${name} has not responded for 100 s.` }
        : trouble === 9
          ? {
              state: 'failed',
              lastSampleMs: undefined,
              problem: 'SSH timed out after 10 s; check that port 22 is open there.',
              fix: 'reconnect',
            }
          : trouble === 13
            ? { problem: 'The certificate expires in 3 days: renew it.' }
            : {};
    return nodeOf(name, 'origin', slot, {
      server: 'srs',
      settings: { server: 'srs', url: `http://10.20.1.${slot}:1985` },
      software: 'SRS 7.0.24',
      ...live,
      streams: state.state === 'failed' ? [] : streamsOf(index),
      ...state,
    });
  });
}

function figures(node: NodeView, at: number, lastSecond: number): Figures {
  if (node.state === 'failed' || (node.state === 'stale' && at > lastSecond - 100)) return {};
  const slot = node.colourSlot;
  const busy = slot % 17 === 8 ? 62 : 0;
  const wave = 8 * Math.sin((at + slot * 97) / 240);
  const viewers = node.streams.reduce((sum, { viewers: of = 0 }) => sum + of, 0);
  return {
    cpuPercent: Math.max(1, Math.min(99, 14 + ((slot * 7) % 24) + busy + wave + wobble(node.id, at, 3))),
    memoryUsedBytes: (2 + ((slot * 5) % 12)) * gib,
    load1: 0.5 + ((slot * 7) % 24) / 20 + wobble(`load${node.id}`, at, 0.1),
    networkInMbps: 4 + wobble(`in${node.id}`, at, 0.5),
    networkOutMbps: viewers * 1.8 + wobble(`out${node.id}`, at, 2),
    ...(node.role === 'origin' ? { originViewers: viewers, originOutMbps: viewers * 1.8 } : {}),
  };
}

/** `lengthMs` of samples, the last of them at `endMs`. */
export function watchedFleet(count: number, endMs: number, lengthMs: number): Scenario {
  const fleet = nodes(count, endMs);
  const startedMs = endMs - lengthMs;
  return {
    nodes: fleet,
    fleet,
    startedMs,
    lengthMs,
    ended: true,
    // Of the runs that were saved meanwhile.
    requested: 1000,
    expectations: {},
    phases: [],
    events: [],
    reasons: [],
    samples: (fromMs, toMs) =>
      batchOf(fleet, startedMs, fromMs, toMs, (node, at) => figures(node, at, lengthMs / second)),
  };
}
