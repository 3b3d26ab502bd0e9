import { defaultExpectations, type Plan } from '../../../src/domain/model/plan';
import type { NodeView } from '../../../src/domain/model/node';
import type { RunView } from '../../../src/domain/model/run';
import type { Sample, SeriesId } from '../../../src/domain/series/series';
import type { SavedHistogram } from '../../../src/engine/store';
import { histogramsOf } from './longRunDistributions';
import { machineOf, nodeOf } from '../../scenario/scenario';

/** Size of a synthetic run: one origin and `nodes - 1` testers, sampled once a second. */
export interface LongRun {
  readonly id: string;
  readonly seconds: number;
  readonly nodes: number;
  readonly seed: number;
}

/** 8 hours x 16 nodes x 40 series at 1 Hz: 18 million samples, and the distributions of 3,000 viewers. */
export const eightHours: LongRun = { id: 'eight-hours', seconds: 8 * 3600, nodes: 16, seed: 5 };

const startMs = Date.UTC(2026, 10, 23, 22, 0, 0);
const kib = 1024;
const gib = 2 ** 30;
const viewersAsked = 3000;
/** The one time of the highest CPU and of the longest pause, which no chart may lose. */
export const spike = { second: 0.62, cpuPercent: 99.25, gcPauseMs: 412.5 };

/** Numbers in 0..1 from a seed (xorshift32): the same run on every machine. */
function randomOf(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function nodesOf({ nodes }: LongRun): NodeView[] {
  const streams = [{ stream: 'cam', source: 'sample-240p', viewers: viewersAsked, fps: 25 }] as const;
  return [
    nodeOf('origin', 'origin', 1, {
      server: 'wcs',
      machine: machineOf(8, 16),
      streams: [...streams],
      gcSource: 'log',
    }),
    ...Array.from({ length: nodes - 1 }, (_, i) => nodeOf(`tester-${i + 1}`, 'tester', i + 2, {})),
  ];
}

/** The active run; its times and figures are those of a good soak with one bad hour. */
export function viewOf(run: LongRun): RunView {
  const nodes = nodesOf(run);
  const testers = nodes.filter(({ role }) => role === 'tester').map(({ id }) => id);
  const plan: Plan = {
    name: 'Soak, a night long',
    nodes: {
      origin: { server: 'lab' },
      ...Object.fromEntries(testers.map((id) => [id, { tester: 'local' as const }])),
    },
    publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p' }],
    pull: {
      stream: 'cam',
      from: 'origin',
      by: testers,
      protocol: 'whep',
      viewers: viewersAsked,
      ratePerSecond: 5,
      holdMs: run.seconds * 1000 - 1_200_000,
    },
    expect: defaultExpectations,
  };
  const endMs = startMs + run.seconds * 1000;
  const rampEndMs = startMs + rampSeconds(run) * 1000;
  return {
    id: run.id,
    name: plan.name,
    state: 'running',
    plan,
    nodes,
    startedMs: startMs,
    phases: [
      { name: 'ramp', startMs, endMs: rampEndMs },
      { name: 'hold', startMs: rampEndMs, endMs: endMs - 60_000 },
      { name: 'drain', startMs: endMs - 60_000, endMs },
    ],
    figures: {
      timeMs: endMs,
      requested: viewersAsked,
      connecting: 0,
      connected: 0,
      connectedPeak: viewersAsked,
      failed: 0,
      degraded: 0,
      degradedPeak: 31,
      degradedPercentPeak: 1.03,
      present: 0,
      rateTarget: 5,
      rateAchieved: 5,
      mediaInMbps: 0,
      packetsPerSecond: 0,
    },
    failures: [],
    readOnly: false,
  };
}

/** One bad hour: higher jitter, some stalls. */
const isBadHour = ({ seconds }: LongRun, second: number): boolean => second > seconds * 0.55 && second < seconds * 0.66;

const rampSeconds = ({ seconds }: LongRun): number => Math.min(600, seconds / 4);

/**
 * Returns the samples of such a run second by second, in order: ramps and plateaus, slow waves, realistic noise (shares
 * of clock ticks, whole kilobytes, megabits by the clock), heap sawtooths with their pauses, and testers with gaps.
 */
export class LongRunSamples {
  private readonly random: () => number;
  private readonly heaps: number[];
  private readonly failed: number[];
  private readonly stalls: number[];

  constructor(private readonly run: LongRun) {
    this.random = randomOf(run.seed);
    this.heaps = Array.from({ length: run.nodes }, (_, i) => 0.2 + 0.04 * i);
    this.failed = new Array<number>(run.nodes).fill(0);
    this.stalls = new Array<number>(run.nodes).fill(0);
  }

  second(second: number): Sample[] {
    const samples: Sample[] = [];
    for (let node = 0; node < this.run.nodes; node += 1) {
      const timeMs = startMs + second * 1000 + node * 37 + Math.floor(this.random() * 12);
      const name = node === 0 ? 'origin' : `tester-${node}`;
      const figures = this.figures(node, second);
      if (this.isSilent(node, second)) continue;
      for (const [series, value] of figures) samples.push({ timeMs, node: name, series, value });
    }
    return samples;
  }

  /** The distributions over the audience in that second. */
  histograms(second: number): SavedHistogram[] {
    const share = Math.min(1, second / rampSeconds(this.run));
    return histogramsOf(
      {
        timeMs: startMs + second * 1000,
        viewers: Math.round(viewersAsked * share),
        arriving: share < 1 ? 5 : 0,
        badness: isBadHour(this.run, second) ? 1 : 0.02,
      },
      this.random,
    );
  }

  /** Each fourth tester was disconnected once, for 40 s to some minutes; a few others miss single seconds. */
  private isSilent(node: number, second: number): boolean {
    if (node === 0) return false;
    const from = Math.floor(this.run.seconds * (0.2 + 0.04 * node));
    if (node % 4 === 0 && second >= from && second < from + 40 * node) return true;
    return this.random() < 0.0002;
  }

  private figures(node: number, second: number): Array<[SeriesId, number]> {
    const { run, random } = this;
    const ramp = rampSeconds(run);
    const left = Math.max(0, Math.min(1, (run.seconds - second) / 60));
    const share = Math.min(1, second / ramp) * left;
    const wave = Math.sin(second / 900 + node);
    const isSpike = second === Math.floor(run.seconds * spike.second);
    // Approximate clock ticks of eight cores in a second.
    const ticks = 797 + Math.floor(random() * 6);
    const busy = Math.floor(ticks * (0.06 + 0.45 * share + 0.05 * wave + 0.05 * random()));
    const before = this.heaps[node] ?? 0;
    const pauses = before > 0.82 || random() < 0.01;
    const heap = pauses ? 0.25 + 0.05 * random() : before + 0.004 * (0.3 + share);
    this.heaps[node] = heap;
    const seconds = 1 + (random() - 0.5) * 0.01;
    const mbps = (mean: number): number =>
      (Math.floor((mean * (0.97 + 0.06 * random()) * 1e6) / 8) * 8) / 1e6 / seconds;
    const kilobytes = (part: number): number => Math.floor((part * gib) / kib) * kib;
    const host: Array<[SeriesId, number]> = [
      ['cpuPercent', node === 0 && isSpike ? spike.cpuPercent : (100 * busy) / ticks],
      ['load1', Math.floor(100 * (0.2 + 5 * share + 0.4 * wave + 0.3 * random() + 0.3)) / 100],
      ['memoryUsedBytes', kilobytes(2 + 8 * heap + 0.01 * random())],
      ['networkInMbps', mbps(node === 0 ? 4 + 2 * share : 20 + 34 * share)],
      ['networkOutMbps', mbps(node === 0 ? 20 + 510 * share : 1 + 2 * share)],
      ['udpInErrorsPerSecond', 0],
      ['udpReceiveBufferErrorsPerSecond', random() < 0.001 ? Math.floor(40 * random()) / seconds : 0],
      ['udpSendBufferErrorsPerSecond', 0],
      ['socketsUsed', 180 + Math.floor(220 * share + 3 * random())],
      ['udpSockets', 8 + Math.floor(200 * share)],
      ['tcpSockets', 12 + Math.floor(4 * random())],
      ['processCpuPercent', (100 * Math.floor(800 * (0.1 + 0.4 * share + 0.06 * random()))) / ticks],
      ['processMemoryBytes', Math.floor((2 ** 20 * (300 + 3000 * heap)) / 4096) * 4096],
      ['processOpenFiles', 40 + Math.floor(205 * share)],
      ['processThreads', 64 + Math.floor(2 * random())],
    ];
    if (pauses || isSpike)
      host.push([
        'gcPauseMs',
        isSpike && node === 0 ? spike.gcPauseMs : Math.floor(1000 * (2 + 9 * random() ** 3)) / 1000,
      ]);
    return node === 0
      ? [...host, ...this.originFigures(second, share, mbps)]
      : [...host, ...this.audienceFigures(node, second, share, mbps)];
  }

  private originFigures(second: number, share: number, mbps: (mean: number) => number): Array<[SeriesId, number]> {
    const { random } = this;
    const viewers = Math.round(viewersAsked * share);
    const cores = Array.from({ length: 8 }, (_, core): [SeriesId, number] => [
      `cpuCorePercent:${core}`,
      Math.floor(100 * (0.05 + 0.5 * share + 0.15 * random())),
    ]);
    return [
      ['originViewers', viewers],
      ['originDegraded', random() < 0.03 ? Math.floor(4 * random()) : 0],
      ['originOutMbps', mbps(510 * share)],
      ['originInMbps', mbps(0.17)],
      ['originStreams', 1],
      ['originConnections', viewers + 2],
      ['originResponseMs', Math.floor(10 * (3 + 6 * random() ** 4)) / 10],
      ['originPacketsPerSecond', Math.round(viewers * 60 * (0.98 + 0.04 * random()))],
      ['networkInMbps:eth0', mbps(4 + 2 * share)],
      ['networkOutMbps:eth0', mbps(20 + 510 * share)],
      ['server:ports_media_free', 30_000 - 2 * viewers],
      ['server:sessions_total', Math.floor(second * 0.4) + viewers],
      ['server:native_resources', 2 * viewers + 6],
      ['server:degraded_streams_percent', 0],
      ['server:average_bitrate', Math.floor(168_000 + 4000 * random())],
      ['server:average_rate', Math.floor(2500 * (0.99 + 0.02 * random())) / 100],
      ['server:streaming_traffic', Math.floor(2 ** 20 * second * 64 * share)],
      ...cores,
    ];
  }

  private audienceFigures(
    node: number,
    second: number,
    share: number,
    mbps: (mean: number) => number,
  ): Array<[SeriesId, number]> {
    const { random, run } = this;
    const viewers = Math.round((viewersAsked / (run.nodes - 1)) * share);
    const thousandth = (value: number): number => Math.floor(value * 1000) / 1000;
    const isBad = isBadHour(run, second) && node % 3 === 0;
    const degraded = random() < (isBad ? 0.3 : 0.01) ? 1 + Math.floor(3 * random()) : 0;
    this.stalls[node] = (this.stalls[node] ?? 0) + degraded;
    this.failed[node] = (this.failed[node] ?? 0) + (random() < 0.0005 ? 1 : 0);
    const jitter = (isBad ? 9 : 3) + 0.2 * node + 2 * random();
    const connect = 48 + 3 * node + 20 * random() ** 2;
    return [
      ['viewersRequested', viewers],
      ['viewersConnecting', share < 1 && second < 900 ? Math.floor(3 * random()) : 0],
      ['viewersConnected', Math.max(0, viewers - degraded)],
      ['viewersFailed', this.failed[node] ?? 0],
      ['viewersDegraded', degraded],
      ['arrivalRateTarget', second < rampSeconds(run) ? thousandth(5 / (run.nodes - 1)) : 0],
      ['arrivalRateAchieved', second < rampSeconds(run) ? thousandth(5 / (run.nodes - 1)) : 0],
      ['mediaInMbps', mbps(viewers * 0.17)],
      ['packetsPerSecond', Math.round(viewers * 60 * (0.98 + 0.04 * random()))],
      ['lossPercent', random() < 0.1 ? thousandth(0.2 * random()) : 0],
      ['frameRate', thousandth(24.9 + 0.2 * random() - (isBad ? 1.5 * random() : 0))],
      ['frameRateP5', thousandth(24.2 + 0.6 * random() - (isBad ? 3 * random() : 0))],
      ['connectP50Ms', thousandth(connect)],
      ['connectP95Ms', thousandth(connect * (1.5 + random()))],
      ['connectP99Ms', thousandth(connect * (2.5 + random()))],
      ['firstFrameP50Ms', thousandth(300 + 900 * random())],
      ['firstFrameP95Ms', thousandth(900 + 900 * random())],
      ['firstFrameP99Ms', thousandth(1500 + 600 * random())],
      ['jitterP50Ms', thousandth(jitter * 0.5)],
      ['jitterP95Ms', thousandth(jitter)],
      ['jitterP99Ms', thousandth(jitter * 1.3)],
      ['rttP50Ms', thousandth(0.4 + 0.1 * random())],
      ['rttP95Ms', thousandth(1.1 + 0.6 * random() ** 2)],
      ['stallsTotal', this.stalls[node] ?? 0],
      ['testerHostCpuPercent', thousandth(6 + 45 * share + 5 * random())],
    ];
  }
}
