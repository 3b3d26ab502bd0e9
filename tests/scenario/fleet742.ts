import type { NodeCapabilities, NodeView } from '../../src/domain/model/node';
import { wobble } from './noise';
import { pull742 } from './pull742';
import { batchOf, machineOf, nodeOf, type Scenario } from './scenario';

/**
 * The pull of `pull742`, with the complete fleet beside the nodes of the run: live, stale, partly known and refused
 * ones.
 */
const gib = 2 ** 30;

const originCan: NodeCapabilities = {
  publish: ['whip', 'rtmp'],
  pull: ['whep', 'rtmp'],
  play: ['whep', 'hls'],
  serves: ['whep', 'rtmp', 'hls'],
  measure: ['CPU', 'load', 'memory', 'network', 'streams', 'viewers', 'GC'],
  terminate: true,
};
const testerCan: NodeCapabilities = {
  publish: ['whip'],
  pull: ['whep'],
  play: [],
  serves: [],
  measure: ['CPU', 'load', 'memory', 'network', 'process'],
  terminate: false,
};

const streams = [
  {
    stream: 'cam-240p',
    source: 'WHIP · publisher-1',
    viewers: 742,
    degraded: 23,
    videoCodec: 'H264',
    audioCodec: 'opus',
    width: 426,
    height: 240,
    bitrateKbps: 380,
    fps: 25,
    ageMs: 761_000,
  },
  {
    stream: 'studio-a',
    source: 'RTMP · obs-studio',
    viewers: 3,
    degraded: 0,
    videoCodec: 'H264',
    audioCodec: 'aac',
    width: 1280,
    height: 720,
    bitrateKbps: 2410,
    fps: 30,
    ageMs: 8_048_000,
  },
  {
    stream: 'studio-a-720p',
    source: 'transcoder',
    viewers: 0,
    degraded: 0,
    videoCodec: 'H264',
    audioCodec: 'aac',
    width: 1280,
    height: 720,
    bitrateKbps: 1800,
    fps: 30,
    ageMs: 8_046_000,
  },
  {
    stream: 'lobby',
    source: 'RTSP pull · 10.20.4.9',
    viewers: 1,
    degraded: 1,
    videoCodec: 'H264',
    width: 1920,
    height: 1080,
    bitrateKbps: 3960,
    fps: 12.4,
    ageMs: 443_541_000,
  },
  {
    stream: 'test-vp8',
    source: 'WHIP · qa laptop',
    viewers: 0,
    degraded: 0,
    videoCodec: 'VP8',
    audioCodec: 'opus',
    width: 640,
    height: 360,
    bitrateKbps: 640,
    fps: 24,
    ageMs: 235_000,
  },
  {
    stream: 'audio-only',
    source: 'WHIP · mixer',
    viewers: 12,
    degraded: 0,
    audioCodec: 'opus',
    bitrateKbps: 48,
    ageMs: 2_480_000,
  },
];

function fleet(nowMs: number): readonly NodeView[] {
  const tester = (number: number, colourSlot: number, clock: NodeView['clock']): NodeView =>
    nodeOf(`tester-${number}`, 'tester', colourSlot, {
      settings: { tester: 'ssh', ssh: `qa@10.20.0.1${number}` },
      software: 'agent 0.3.1',
      reach: 'SSH',
      links: [
        { kind: 'ssh', label: 'SSH', state: 'live' },
        { kind: 'agent', label: 'agent', state: 'live' },
      ],
      can: testerCan,
      clock,
      machine: machineOf(number === 1 ? 8 : 4, 8),
      viewerLimit: number === 1 ? 900 : 420,
      lastSampleMs: nowMs - 1000,
    });
  return [
    nodeOf('atom-c2550', 'origin', 1, {
      server: 'wcs',
      settings: { server: 'wcs', url: 'http://atom-c2550:8081', ssh: 'atom-c2550' },
      software: 'WCS 5.2.2077',
      reach: 'REST 8081',
      links: [
        { kind: 'api', label: 'REST 8081', state: 'live' },
        { kind: 'ssh', label: 'SSH', state: 'live' },
      ],
      can: originCan,
      clock: { offsetMs: 1.8, uncertaintyMs: 0.4 },
      gcSource: 'GC log over SSH (ZGC)',
      machine: machineOf(4, 8),
      streams,
      streamCount: streams.length,
      lastSampleMs: nowMs - 1000,
    }),
    tester(1, 2, { offsetMs: -0.3, uncertaintyMs: 0.2 }),
    tester(2, 3, { offsetMs: 0.1, uncertaintyMs: 0.3 }),
    nodeOf('lab', 'origin', 4, {
      name: 'lab',
      server: 'lab',
      settings: { server: 'lab' },
      builtIn: true,
      software: 'lab 0.3.1',
      reach: 'this machine',
      links: [{ kind: 'loopback', label: 'loopback', state: 'live' }],
      can: { ...originCan, publish: ['whip'], pull: ['whep'] },
      gcSource: 'its own',
      state: 'idle',
      lastSampleMs: nowMs - 1000,
    }),
    nodeOf('livekit-eu', 'origin', 5, {
      server: 'livekit',
      settings: { server: 'livekit', url: 'https://lk.example.org', apiKey: 'key', selfSigned: true },
      secrets: ['apiSecret'],
      software: 'LiveKit 1.11',
      reach: 'API',
      links: [
        { kind: 'api', label: 'API', state: 'lost', selfSigned: true },
        { kind: 'metrics', label: '/metrics', state: 'lost' },
      ],
      can: {
        ...originCan,
        publish: ['livekit'],
        pull: ['whep'],
        play: ['livekit'],
        measure: ['streams', 'viewers', 'GC'],
      },
      state: 'stale',
      problem: 'lk.example.org has not responded for 12 s; it is retried every 5 s.',
      fix: 'reconnect',
      gcSource: 'Go metrics',
      lastSampleMs: nowMs - 12_000,
    }),
    nodeOf('nginx-old', 'origin', 6, {
      server: 'nginx-rtmp',
      settings: { server: 'nginx-rtmp', url: 'http://10.20.0.30:8080/stat' },
      software: 'nginx-rtmp 1.1.4',
      reach: 'stat XML',
      links: [{ kind: 'api', label: 'stat XML', state: 'live' }],
      can: { ...originCan, publish: ['rtmp'], pull: ['rtmp'], play: ['hls'] },
      note: 'CPU and memory of the host are not measured: add SSH or node_exporter',
      fix: 'add-ssh',
      streams: [],
      lastSampleMs: nowMs - 1000,
    }),
    nodeOf('tester-3', 'tester', 7, {
      settings: { tester: 'ssh', ssh: 'qa@10.20.0.13' },
      reach: 'SSH',
      links: [{ kind: 'ssh', label: 'SSH', state: 'connecting' }],
      state: 'failed',
      problem: 'The host key changed since 2 Nov, so nothing was sent. Was this machine reinstalled?',
      fix: 'compare-keys',
      hostKey: {
        state: 'changed',
        host: '10.20.0.13',
        keyType: 'ssh-ed25519',
        fingerprint: 'SHA256:pL6yQ0cY1Q2Dk3oFv9sTn8mWq4xZr7bHj5uAe1KdGzI',
        known: {
          fingerprint: 'SHA256:Zt8xM2vW7n5cR1qLk4pJ9sYb6dHf3gTa0oEuIiXwNvU',
          where: '~/.ssh/known_hosts line 12',
        },
      },
    }),
  ];
}

export function fleet742(): Scenario {
  const run = pull742();
  const nodes = fleet(run.startedMs + run.lengthMs);
  const others = nodes.filter(({ id }) => id === 'livekit-eu');
  return {
    ...run,
    nodes: nodes.filter(({ id }) => run.nodes.some((node) => node.id === id)),
    fleet: nodes,
    samples: (fromMs, toMs) => {
      const known = run.samples(fromMs, toMs);
      // It stopped responding 12 s before the screenshot.
      const more = batchOf(others, run.startedMs, fromMs, Math.min(toMs, run.lengthMs - 12_000), (_, second) => ({
        cpuPercent: 19 + wobble('livekit', second, 1.5),
        memoryUsedBytes: 2.6 * gib,
        gcPauseMs: 0.6,
      }));
      return {
        keys: [...known.keys, ...more.keys],
        key: [...known.key, ...more.key.map((key) => key + known.keys.length)],
        timeMs: [...known.timeMs, ...more.timeMs],
        value: [...known.value, ...more.value],
      };
    },
  };
}
