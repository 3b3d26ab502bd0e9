import { WebSocketServer, type WebSocket } from 'ws';
import { provesToken } from './provesToken';
import type { AddressInfo } from 'node:net';
import { Histogram } from '../../src/domain/distribution/histogram';
import { encodeHistogram } from '../../src/engine/base/histogramBytes';
import { agentProtocolVersion } from '../../src/contract/agentProtocol';

const variants = 16;

/** Histograms of a second over some viewers, as text; a few for all agents, since making them is not measured. */
const secondsOf = (viewers: number): readonly object[] =>
  Array.from({ length: variants }, (_, variant) => {
    const spread = (base: number): string =>
      Buffer.from(
        encodeHistogram(
          // Like figures of viewers: most near the base, with a tail.
          Histogram.of(
            Array.from({ length: viewers }, (_, n) => base * (1 + variant / 100 + (n % 97) / 97 + (n % 13) ** 2 / 99)),
          ),
        ),
      ).toString('base64');
    return {
      distributions: {
        frameRate: spread(12),
        jitterMs: spread(1),
        rttMs: spread(15),
        viewerLossPercent: spread(0.01),
        viewerBitrateKbps: spread(170),
        connectMs: spread(40),
        firstFrameMs: spread(120),
      },
      delay: { referenceMs: 0, senderReportMs: spread(80) },
      repair: {
        retransmittedPacketsPerSecond: 3,
        retransmittedKbps: 9,
        fecPacketsPerSecond: 0,
        fecKbps: 0,
        lossBeforePercent: 0.1,
      },
    };
  });
const cache = new Map<number, readonly object[]>();

function viewerFigures(viewers: number, second: number): object {
  const known = cache.get(viewers) ?? secondsOf(viewers);
  cache.set(viewers, known);
  return known[second % variants] ?? {};
}

const machine = {
  hostCpuPercent: 35,
  readerBusyPercent: 20,
  readerWaitPercent: 2,
  socketDrops: 0,
  receiveBufferErrors: 0,
  openFiles: 300,
  openFilesLimit: 65_536,
  memoryAvailableBytes: 6e9,
  memoryTotalBytes: 8e9,
  networkPercent: 12,
  networkDrops: 0,
  failedOnTester: 0,
};

/** Of every agent of a group. */
export const groupToken = 'x'.repeat(16);

interface Job {
  readonly job: string;
  readonly viewers: number;
  isEnded: boolean;
}

/** Many agents in one process, which speak the protocol and simulate their viewers. */
export interface GroupAgents {
  readonly addresses: readonly string[];
  close(): Promise<void>;
}

export async function startGroupAgents(size: number): Promise<GroupAgents> {
  const agents = await Promise.all(Array.from({ length: size }, (_, index) => startAgent(index, size)));
  return {
    addresses: agents.map(({ address }) => address),
    close: async () => void (await Promise.all(agents.map((agent) => agent.close()))),
  };
}

async function startAgent(index: number, size: number): Promise<{ readonly address: string; close(): Promise<void> }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/v1', perMessageDeflate: false });
  provesToken(server, groupToken);
  await new Promise((resolve) => server.once('listening', resolve));
  const greeted = new Set<WebSocket>();
  const jobs = new Map<string, Job>();
  let sequence = 0;
  const sample = (): void => {
    sequence += 1;
    const record = JSON.stringify({
      type: 'record',
      sequence,
      timeMs: Date.now(),
      kind: 'sample',
      sample: {
        process: { cpuPercent: 12, memoryBytes: 90e6, openFiles: 300, goroutines: 40 },
        jobs: [...jobs.values()].map((job) => jobSample(job, sequence + index)),
        tester: machine,
      },
    });
    for (const socket of greeted) socket.send(record);
  };
  let timer: NodeJS.Timeout | undefined;
  // Each agent has its own phase within the second.
  const first = setTimeout(() => (timer = setInterval(sample, 1000)), (1000 * index) / size);
  server.on('connection', (socket) => {
    socket.on('close', () => greeted.delete(socket));
    socket.on('message', (data) => {
      const { type, id, call, params } = JSON.parse((data as Buffer).toString('utf8')) as {
        type: string;
        id: number;
        call: string;
        params: { job: string; viewers: number };
      };
      if (type === 'proof') return;
      socket.send(JSON.stringify({ type: 'response', id, ok: true, result: answer(call, params) }));
      if (call === 'hello') greeted.add(socket);
    });
  });
  const answer = (call: string, { job, viewers }: { job: string; viewers: number }): unknown => {
    const known = jobs.get(job);
    switch (call) {
      case 'hello':
        return hello(index, sequence);
      case 'ping':
        return { nowMs: Date.now() };
      case 'audience.start':
        jobs.set(job, { job, viewers, isEnded: false });
        return { job, viewers, warnings: [] };
      case 'audience.stop':
        if (known) known.isEnded = true;
        return { present: 0 };
      case 'audience.viewers':
        return { total: 0, viewers: [] };
      default:
        return { present: 0 };
    }
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      clearTimeout(first);
      clearInterval(timer);
      for (const socket of server.clients) socket.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function hello(index: number, latestSequence: number): object {
  return {
    protocol: agentProtocolVersion,
    agent: '0.1.0',
    role: 'audience',
    instance: `simulated-${index}`,
    pid: process.pid,
    nowMs: Date.now(),
    oldestSequence: 1,
    latestSequence,
    host: { system: 'linux', architecture: 'amd64', kernel: '6.1', cpuModel: 'simulated', cores: 4, memoryBytes: 8e9 },
    limits: { openFiles: 65_536, viewers: 20_000 },
    protocols: ['whep', 'rtmp', 'hls'],
  };
}

function jobSample({ job, viewers, isEnded }: Job, second: number): object {
  const connected = isEnded ? 0 : viewers;
  return {
    job,
    state: isEnded ? 'ended' : 'holding',
    requested: viewers,
    waiting: 0,
    connecting: 0,
    connected,
    failed: 0,
    disconnected: isEnded ? viewers : 0,
    present: connected,
    degraded: 0,
    arrivalRateTarget: viewers,
    arrivalRateAchieved: viewers,
    bitrateKbps: 170 * connected,
    packetsPerSecond: 44 * connected,
    lossPercent: 0,
    stalls: 0,
    failures: [],
    ...(isEnded ? {} : viewerFigures(viewers, second)),
  };
}
