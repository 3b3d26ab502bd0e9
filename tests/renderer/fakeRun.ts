import { fakeDistributionFigures } from './fakeDistribution';
import type { NodeView } from '../../src/domain/model/node';
import type { FailureGroup, JobView, RunView, Verdict } from '../../src/domain/model/run';
import type { Scenario } from '../scenario';
import { fakeReport } from './fakePreflight';
import { audienceIn } from '../support/pullPlan';

const failures = (startedMs: number, isLive: boolean): FailureGroup[] => [
  {
    tester: 'tester-1',
    stage: 'ice',
    cause: 'timeout',
    count: isLive ? 3 : 612,
    example: {
      viewer: 688,
      timeMs: startedMs + 112_000,
      detail: '4 pairs checked, the last STUN request got no reply from atom-c2550:31422/udp',
    },
  },
  {
    tester: 'tester-2',
    stage: 'first-packet',
    cause: 'silent',
    count: isLive ? 1 : 128,
    example: { viewer: 701, timeMs: startedMs + 117_000, detail: 'DTLS done in 1.9 s, 0 RTP packets after' },
  },
];

const reasonTexts = [
  {
    sentence:
      'CPU of atom-c2550 exceeded its limit at 00:02:14 with 256 viewers, reaching 98.4 % over 5 s at 00:03:02.',
    expected: 'expected <= 80 %',
  },
  {
    sentence: '38 of 260 viewers, 14.6 %, were degraded on average over 5 s until 00:03:16; too many from 00:03:12 on.',
    expected: 'expected <= 1 %',
  },
  {
    sentence: 'The garbage collector paused atom-c2550 for up to 48.2 ms, first over the limit at 00:02:31.',
    expected: 'expected <= 10 ms',
  },
  {
    sentence:
      '260 of 1,000 viewers were connected at the end of the hold, 26 %. 612 viewers failed at ICE: no candidate pair responded in time.',
    expected: 'expected >= 99 %',
  },
];

function verdictOf(scenario: Scenario): Verdict | undefined {
  if (!scenario.ended) return undefined;
  return {
    verdict: 'fail',
    sentence: '260 of 1,000 viewers connected; CPU of atom-c2550 exceeded its limit first, at 00:02:14.',
    reasons: scenario.reasons.map((reason, index) => ({ ...reason, ...reasonTexts[index] })),
    headroom: [
      'Network: 96 of 941 Mbit/s that iperf3 measured.',
      'Both testers: CPU at most 31 %, no dropped packets. Not tester-limited.',
    ],
  };
}

/** The run of a scenario as the engine would report it at the end. */
export function runOf(scenario: Scenario): RunView {
  const { startedMs, lengthMs, ended, requested } = scenario;
  const testers = scenario.nodes.filter((node) => node.role === 'tester').map((node) => node.id);
  const usual: RunView = {
    id: 'run-1',
    name: ended ? 'Pull 1000, before tuning' : 'Pull 1000',
    state: ended ? 'ended' : 'running',
    plan: {
      name: 'Pull 1000',
      nodes: {
        'atom-c2550': { server: 'lab' },
        ...Object.fromEntries(testers.map((id) => [id, { tester: 'local' as const }])),
      },
      publish: [{ stream: 'cam-240p', node: 'atom-c2550', source: 'external' }],
      pull: {
        stream: 'cam-240p',
        from: 'atom-c2550',
        by: testers,
        protocol: 'whep',
        viewers: requested,
        ratePerSecond: 10,
        holdMs: 120_000,
      },
      expect: scenario.expectations,
    },
    nodes: scenario.nodes.map((node) => ({ ...node, lastSampleMs: startedMs + lengthMs - 1000 })),
    startedMs,
    endedMs: ended ? startedMs + lengthMs : undefined,
    endsMs: ended ? undefined : startedMs + 300_000,
    phases: scenario.phases,
    preflight: ended ? fakeReport(startedMs - 60_000) : undefined,
    figures: {
      timeMs: startedMs + lengthMs,
      requested,
      connecting: ended ? 0 : 9,
      connected: ended ? 0 : 742,
      connectedPeak: ended ? 260 : 742,
      failed: ended ? 740 : 4,
      degraded: ended ? 0 : 23,
      degradedPeak: ended ? 38 : 23,
      degradedPercentPeak: ended ? 14.6 : 3.1,
      present: ended ? 0 : 751,
      rateTarget: 10,
      rateAchieved: 4.6,
      fullInMs: ended ? undefined : 56_000,
      originViewers: ended ? 0 : 740,
      originDegraded: ended ? 0 : 19,
      originOutMbps: ended ? 0 : 278.6,
      mediaInMbps: ended ? 0 : 278.1,
      packetsPerSecond: 31_000,
      distributions: fakeDistributionFigures,
    },
    failures: failures(startedMs, !ended),
    verdict: verdictOf(scenario),
    readOnly: ended,
  };
  return {
    ...usual,
    ...scenario.run,
    plan: scenario.run?.plan ?? usual.plan,
    figures: { ...usual.figures, ...scenario.run?.figures },
  };
}

/** Of publish-1. */
export const publishersOfJob = 40;

export function jobsOf(run: RunView): readonly JobView[] {
  return [
    {
      id: 'pull-1',
      kind: 'pull',
      node: 'tester-1',
      stream: 'cam-240p',
      state: 'ramping-up',
      requested: 580,
      connected: 430,
      present: 430,
    },
    {
      id: 'pull-2',
      kind: 'pull',
      node: 'tester-2',
      stream: 'cam-240p',
      state: 'ramping-up',
      requested: 420,
      connected: 312,
      present: 312,
    },
    {
      id: 'publish-1',
      kind: 'publish',
      node: audienceIn(run.plan).from,
      stream: 'cam-240p',
      source: 'sample-240p',
      state: 'holding',
      fps: 25,
      publishers: { requested: publishersOfJob, live: publishersOfJob - 1, failed: 1 },
      isListed: true,
    },
  ];
}

/** The two nodes of a new installation. */
export function idleNodes(state: 'first' | 'watching'): readonly NodeView[] {
  const isLive = state === 'watching';
  const common = { reach: 'this machine', host: 'me', state: isLive ? ('live' as const) : ('idle' as const) };
  const sample = {
    stream: 'cam',
    source: 'sample-240p',
    viewers: 0,
    videoCodec: 'H264',
    audioCodec: 'opus',
    width: 426,
    height: 240,
    fps: 25,
    bitrateKbps: 170,
  };
  return [
    {
      id: 'lab',
      builtIn: true,
      settings: { server: 'lab' },
      name: 'lab',
      role: 'origin',
      server: 'lab',
      colourSlot: 1,
      streams: isLive ? [sample] : [],
      software: isLive ? 'lab 0.1.0' : undefined,
      ...common,
    },
    {
      id: 'local',
      builtIn: true,
      settings: { tester: 'local' },
      name: 'local',
      role: 'tester',
      colourSlot: 2,
      streams: [],
      software: isLive ? 'agent 0.1.0' : undefined,
      viewerLimit: 12_000,
      ...common,
    },
  ];
}
