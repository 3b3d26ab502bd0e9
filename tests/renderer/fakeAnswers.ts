import type { CallOutput } from '../../src/contract/engine';
import type { AgentPublisher } from '../../src/contract/agentSample';
import type { Plan } from '../../src/domain/model/plan';
import type { RunFigures } from '../../src/domain/model/run';
import type { ViewerRow, ViewerDetail } from '../../src/contract/viewerSchemas';
import { audienceIn } from '../support/pullPlan';

const sampleKbps = 170;
const sampleViewerLimit = 12_000;

/** The engine's check of a plan: it refuses only the limit of the tester. */
export function checkPlan(plan: Plan): CallOutput<'plan.check'> {
  const { viewers } = audienceIn(plan);
  const isTooMany = viewers > sampleViewerLimit;
  return {
    problems: isTooMany
      ? [
          {
            path: 'pull.viewers',
            sentence: `This machine can play ${sampleViewerLimit.toLocaleString('en')} viewers, ${viewers - sampleViewerLimit} fewer than asked. Nothing starts until it fits.`,
            suggestion: sampleViewerLimit,
          },
        ]
      : [],
    expectedMbps: (viewers * sampleKbps) / 1000,
    expectedPacketsPerSecond: viewers * 42,
    checks: [
      { good: true, sentence: 'Open files on this machine: 20,000; this job needs 1,300' },
      { good: viewers <= 1000, sentence: 'Origin and audience share this machine: 2 cores' },
    ],
  };
}

/** Publishers over WebRTC that have sent the sample for some seconds; the last was refused. */
export function publishersAfter(count: number, seconds: number): AgentPublisher[] {
  return Array.from({ length: count }, (_, index): AgentPublisher => {
    const publisher = index + 1;
    if (publisher === count)
      return {
        ...{ publisher, state: 'failed', sinceMs: 0, bytes: 0, frames: 0 },
        problem: 'The server refused the stream: the name is in use.',
      };
    return {
      ...{ publisher, state: 'live', sinceMs: 0 },
      bytes: Math.round((sampleKbps + (index % 7)) * 125 * seconds),
      frames: Math.round(25 * seconds),
      roundTripMs: 0.8 + (index % 9) / 10,
      lossPercent: index % 13 === 0 ? 0.2 : 0,
      retransmissions: index % 13 === 0 ? 4 : undefined,
      keyframeRequests: 1 + (index % 3),
      interruptions: index % 29 === 28 ? 1 : undefined,
    };
  });
}

/** A tester's details of one of `viewerRows`. */
export function viewerDetailOf(row: ViewerRow | undefined): ViewerDetail {
  const { connectMs, state, viewer = 0, degraded } = row ?? {};
  const steps = { offer: 0.4, answer: 3.9, ice: 4.8, dtls: 11.6 };
  const toMedia = state === 'failed' ? { offer: 0.4, answer: 3.9 } : steps;
  return {
    timeline: [
      { atMs: 0, name: 'arrived' },
      ...Object.entries(toMedia).map(([name, atMs]) => ({ name, atMs })),
      ...(connectMs === undefined
        ? []
        : [
            { atMs: connectMs, name: 'first-packet' },
            { atMs: connectMs + 180, name: 'first-frame' },
          ]),
      ...(degraded
        ? [
            { atMs: 40_211, name: 'stall', forMs: 712 },
            { atMs: 41_003, name: 'degraded', reason: 'stall' },
          ]
        : []),
      ...(state === 'failed' ? [{ atMs: 5004, name: 'failed' }] : []),
    ],
    ...(state === 'failed'
      ? {}
      : {
          route: {
            protocol: 'udp',
            local: `10.0.0.11:${40_000 + viewer}`,
            localType: 'host',
            remote: '10.0.0.9:8000',
            remoteType: 'host',
          },
          streams: [
            {
              ...{ kind: 'video', codec: 'H264', payloadType: 102, clockRate: 90_000, ssrc: 0xabcdef01 },
              ...{ packets: 2710, bytes: 2_010_300, lost: 3, repaired: 9, jitterMs: 0.4 },
            },
            {
              ...{ kind: 'audio', codec: 'opus', payloadType: 111, clockRate: 48_000, ssrc: 0xabcdef02 },
              ...{ packets: 1500, bytes: 200_100, jitterMs: 0.2 },
            },
          ],
          counters: { brokenFrames: 2 },
        }),
  };
}

/**
 * One row per viewer of the headline, in the states that it counts; `isKept`: as saved in a run file, some with
 * details.
 */
export function viewerRows(figures: RunFigures | undefined, isKept = false): ViewerRow[] {
  const rows = playingRows(figures);
  return isKept ? rows.map((row) => (row.viewer % 31 === 0 ? { ...row, detail: viewerDetailOf(row) } : row)) : rows;
}

function playingRows(figures: RunFigures | undefined): ViewerRow[] {
  if (!figures) return [];
  return Array.from({ length: figures.requested }, (_, index): ViewerRow => {
    const isFailed = index % 187 === 186;
    const isConnected = !isFailed && index < figures.connected;
    return {
      tester: 'tester-1',
      job: 'pull-1',
      viewer: index + 1,
      state: isFailed ? 'failed' : isConnected ? 'connected' : index < figures.connected + 9 ? 'connecting' : 'waiting',
      connectMs: isConnected ? 40 + ((index * 37) % 400) : undefined,
      packets: isConnected ? 4000 + index : 0,
      bytes: 0,
      lost: 0,
      lossPercent: (index % 50) / 100,
      jitterMs: isConnected ? 1 + (index % 17) / 3 : undefined,
      frames: isConnected ? 2000 : 0,
      fps: isConnected ? 25 - (index % 9) / 10 : undefined,
      stalls: index % 31 === 0 ? 1 : 0,
      stalledMs: 0,
      freezeCount: index % 31 === 0 ? 2 : 0,
      freezeDurationMs: 0,
      degraded: isConnected && index % 31 === 0,
      degradedReason: isConnected && index % 31 === 0 ? 'stall' : undefined,
      failure: isFailed
        ? { stage: 'ice', cause: 'timeout', detail: '4 pairs checked, no answer within 5 s.' }
        : undefined,
    };
  });
}
