import { z } from 'zod';
import { realisms } from '../domain/plan/plan';
import { labConditions, labViewer } from './labProtocol';
import { mediaOfStream } from './streamSchemas';
import { viewerDetail } from './viewerSchemas';

/**
 * What engine and agent say to each other, version 1; `docs/agent-protocol.md` tells the story. What comes from an agent may hold
 * fields that this engine does not know yet. What goes to it is exact: an agent refuses unknown parameters.
 */
export const agentProtocolVersion = 1;

const count = z.number().int().nonnegative();
const timeMs = z.number().int().nonnegative();
const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number().optional() });

/** The one line of standard output. */
export const agentListening = z.object({
  type: z.literal('listening'),
  protocol: z.number().int(),
  agent: z.string(),
  role: z.enum(['audience', 'lab']),
  address: z.string(),
  pid: z.number().int().positive(),
  http: z.string().optional(),
  media: z.string().optional(),
  /** By `start` only: the agent was there already, and its own token holds (`status` tells it). */
  running: z.boolean().optional(),
  /** Sentences about what the machine allows less of than one would want. */
  warnings: z.array(z.string()).optional(),
});
export type AgentListening = z.infer<typeof agentListening>;

const agentState = z.object({
  pid: z.number().int().positive(),
  address: z.string(),
  token: z.string(),
  instance: z.string(),
  protocol: z.number().int(),
  agent: z.string(),
  role: z.enum(['audience', 'lab']),
  /** Of the program that runs, to compare with `agentManifest`. */
  sha256: z.string(),
  startedMs: timeMs,
  warnings: z.array(z.string()).optional(),
});

/** The one line of `fullhouse-agent status --home DIR`. It holds the token: never into a log. */
export const agentStatus = z.discriminatedUnion('alive', [
  agentState.extend({ type: z.literal('status'), alive: z.literal(true) }),
  /** Without the rest where no agent has been; `lastWords` of one that ended without being asked. */
  agentState
    .partial()
    .extend({ type: z.literal('status'), alive: z.literal(false), lastWords: z.string().optional() }),
]);
export type AgentStatus = z.infer<typeof agentStatus>;

/** The one line of `fullhouse-agent self-test`: packets that it sent to itself and received, with the CPU time that they cost. */
export const selfTestResult = z.object({
  packets: count,
  /** Absent where the system does not tell it. */
  cpuMs: z.number().positive().optional(),
  wallMs: z.number().positive(),
});

/** `agents.json` in the folder of built agents: programs by target, e.g. `linux-x64`, `linux-arm64`. */
export const agentManifest = z.record(
  z.string(),
  z.object({
    /** Relative to the manifest. */
    file: z.string(),
    sha256: z.string(),
    bytes: count,
    version: z.string(),
  }),
);
export type AgentManifest = z.infer<typeof agentManifest>;

export const agentRequest = z.object({
  type: z.literal('request'),
  id: z.number().int(),
  call: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type AgentRequest = z.infer<typeof agentRequest>;

export const agentResponse = z.union([
  z.object({
    type: z.literal('response'),
    id: z.number().int(),
    ok: z.literal(true),
    result: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('response'),
    id: z.number().int(),
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);
export type AgentResponse = z.infer<typeof agentResponse>;

/** Figures of the agent's own process over the sample's interval; `cpuPercent` of one core. */
export const agentProcess = z.object({
  cpuPercent: z.number().optional(),
  memoryBytes: z.number().optional(),
  openFiles: z.number().optional(),
  goroutines: z.number().optional(),
  gcPauseMaxMs: z.number().optional(),
  gcPauses: z.number().optional(),
});
export type AgentProcess = z.infer<typeof agentProcess>;

export const agentFailure = z.object({
  stage: z.enum(['name', 'tcp', 'tls', 'signalling', 'ice', 'dtls', 'first-packet', 'first-frame', 'media']),
  cause: z.string(),
  count,
  example: z.object({ viewer: count, timeMs, detail: z.string() }),
});

/** One job of an audience, as its sample tells it. A percentile is absent when nothing was measured. */
export const agentJob = z.object({
  job: z.string(),
  state: z.enum(['arriving', 'holding', 'leaving', 'ended']),
  requested: count,
  waiting: count,
  connecting: count,
  connected: count,
  failed: count,
  left: count,
  present: count,
  degraded: count,
  arrivalRateAsked: z.number(),
  arrivalRateAchieved: z.number(),
  bitrateKbps: z.number(),
  packetsPerSecond: z.number(),
  lossPercent: z.number().optional(),
  frameRate: z.object({ p5: z.number(), p50: z.number(), p95: z.number() }).optional(),
  connectMs: percentiles.optional(),
  firstFrameMs: percentiles.optional(),
  jitterMs: percentiles.optional(),
  roundTripMs: percentiles.optional(),
  freezes: count,
  /** Packets that did not decrypt with their session's keys, since the job's start; absent when there were none. */
  damagedPackets: count.optional(),
  failures: z.array(agentFailure),
});
export type AgentJob = z.infer<typeof agentJob>;

export const labStream = z.object({
  stream: z.string(),
  source: z.string(),
  ageMs: z.number().optional(),
  viewers: count,
  connecting: count.optional(),
  ...mediaOfStream,
  /** Of a made CPU budget, where the stream has one. */
  budgetPercent: z.number().optional(),
});
export type LabStream = z.infer<typeof labStream>;

export const labFigures = z.object({
  viewers: count,
  bitrateOutKbps: z.number(),
  packetsOutPerSecond: z.number(),
  sendErrors: z.number().optional(),
  degraded: count.optional(),
  streams: z.array(labStream),
});
export type LabFigures = z.infer<typeof labFigures>;

/** A stream that an audience publishes. */
export const agentPublication = z.object({
  job: z.string(),
  protocol: z.enum(['whip', 'rtmp']),
  /** `connecting` may come again after `live`: the stream was lost and is tried again. */
  state: z.enum(['connecting', 'live', 'failed', 'ended']),
  bitrateKbps: z.number(),
  fps: z.number(),
  /** Unix time since when it is in this state. */
  sinceMs: timeMs,
  /** One sentence, while it is not live. */
  problem: z.string().optional(),
});
export type AgentPublication = z.infer<typeof agentPublication>;

/**
 * What an audience knows of its own machine in one second: whether it, not the server, bounds what its viewers see. A figure that the
 * system does not tell is absent.
 */
export const agentTester = z.object({
  /** Busy share of all cores of the machine. */
  hostCpuPercent: z.number().optional(),
  /** Share of the time in which the reading thread worked; at 100 it can't read faster. */
  readerBusyPercent: z.number().optional(),
  /** Share of the time in which the reading thread wanted to work and waited for a processor. */
  readerWaitPercent: z.number().optional(),
  /** Datagrams dropped at the viewers' own sockets because they were not read in time. */
  socketDrops: count.optional(),
  /** RcvbufErrors of the whole machine, UDP over IPv4 and IPv6. */
  receiveBufferErrors: count.optional(),
  openFiles: count.optional(),
  /** Absent where there is none. */
  openFilesLimit: count.optional(),
  memoryAvailableBytes: z.number().optional(),
  /** What that is a part of: the machine's memory, or the agent's own limit where that is lower. */
  memoryTotalBytes: z.number().optional(),
  /** The busiest interface with a known speed: share of it that is used, the higher of both ways. */
  networkPercent: z.number().optional(),
  networkInterface: z.string().optional(),
  /** Packets that interfaces of the machine received and dropped before any socket saw them. */
  networkDrops: count.optional(),
  /** Viewers that failed since the agent's start because this machine had no file, port or memory left. */
  failedHere: count.optional(),
});
export type AgentTester = z.infer<typeof agentTester>;

/** A sample of either role: an audience has `jobs` and, while it publishes, `publications`; a lab has `lab`. */
export const agentSample = z.object({
  process: agentProcess,
  jobs: z.array(agentJob).optional(),
  publications: z.array(agentPublication).optional(),
  /** Of an audience that has viewers. */
  tester: agentTester.optional(),
  lab: labFigures.optional(),
});
export type AgentSample = z.infer<typeof agentSample>;

export const agentEvent = z.object({
  name: z.string(),
  job: z.string().optional(),
  stream: z.string().optional(),
  /** By how much the agent's machine had its clock set, of `clock-stepped`. */
  stepMs: z.number().int().optional(),
  message: z.string(),
});
export type AgentEvent = z.infer<typeof agentEvent>;

const recordHead = { type: z.literal('record'), sequence: z.number().int().positive(), timeMs };
export const agentRecord = z.discriminatedUnion('kind', [
  z.object({ ...recordHead, kind: z.literal('sample'), sample: agentSample }),
  z.object({ ...recordHead, kind: z.literal('event'), event: agentEvent }),
]);
export type AgentRecord = z.infer<typeof agentRecord>;

export const helloResult = z.object({
  protocol: z.number().int(),
  agent: z.string(),
  role: z.enum(['audience', 'lab']),
  instance: z.string(),
  pid: z.number().int(),
  nowMs: timeMs,
  oldestSequence: count,
  latestSequence: count,
  host: z.object({
    system: z.string(),
    architecture: z.string(),
    kernel: z.string(),
    cpuModel: z.string(),
    cores: count,
    memoryBytes: count,
  }),
  limits: z.object({ openFiles: count, viewers: count }),
  protocols: z.array(z.string()).optional(),
  /** By what it can publish a sample; absent where it has none. */
  publishes: z.array(z.string()).optional(),
  /** How an audience receives datagrams: `io_uring`, or what costs more where that is not to be had, `epoll` or `portable`. */
  reader: z.string().optional(),
  http: z.string().optional(),
});
export type HelloResult = z.infer<typeof helloResult>;

export const audienceViewer = z.object({
  viewer: count,
  state: z.enum(['waiting', 'connecting', 'connected', 'failed', 'leaving', 'left']),
  arrivedMs: timeMs.optional(),
  connectMs: z.number().optional(),
  firstFrameMs: z.number().optional(),
  packets: count,
  bytes: count,
  lost: count,
  lossPercent: z.number().optional(),
  jitterMs: z.number().optional(),
  frames: count,
  fps: z.number().optional(),
  freezes: count,
  frozenMs: z.number(),
  roundTripMs: z.number().optional(),
  degraded: z.boolean(),
  degradedBecause: z.string().optional(),
  degradedMs: z.number().optional(),
  failure: z.object({ stage: agentFailure.shape.stage, cause: z.string(), detail: z.string() }).optional(),
});
export type AudienceViewer = z.infer<typeof audienceViewer>;

const nothing = z.strictObject({});
const left = z.object({ left: count });
const force = z.boolean().optional();

/** Every call: what goes to the agent, and what it answers. */
export const agentCalls = {
  hello: {
    params: z.strictObject({
      protocol: z.number().int(),
      client: z.strictObject({ name: z.string(), version: z.string() }),
      resumeAfter: count.optional(),
    }),
    result: helloResult,
  },
  ping: { params: nothing, result: z.object({ nowMs: timeMs }) },
  'stop-all': { params: z.strictObject({ force }), result: left },
  shutdown: { params: nothing, result: z.object({}).optional() },

  'audience.start': {
    params: z.strictObject({
      job: z.string(),
      protocol: z.enum(['whep', 'rtmp', 'livekit']),
      url: z.string(),
      viewers: z.number().int().positive(),
      ratePerSecond: z.number().positive(),
      holdMs: count,
      bearerToken: z.string().optional(),
      /** WHEP only: a redirect, or the session's Location, may lead to another origin than `url`. */
      allowCrossOrigin: z.boolean().optional(),
      /** LiveKit only: one for each viewer. Secrets: in no log and no sample. */
      tokens: z.array(z.string().min(1)).optional(),
      nominalFps: z.number().optional(),
      realism: z.enum(realisms).optional(),
      /** WHEP only: the share of packets that are decrypted beside those that always are. */
      decryptPercent: z.number().min(0).max(100).optional(),
      parallel: z.number().int().positive().optional(),
      stageTimeoutMs: z.number().int().positive().optional(),
    }),
    result: z.object({ job: z.string(), viewers: count, warnings: z.array(z.string()).nullish() }),
  },
  'audience.stop': { params: z.strictObject({ job: z.string(), force }), result: left },
  'audience.viewers': {
    params: z.strictObject({
      job: z.string(),
      offset: count,
      limit: z.number().int().min(1).max(1000),
      state: audienceViewer.shape.state.optional(),
    }),
    result: z.object({ total: count, viewers: z.array(audienceViewer) }),
  },
  /** Everything about one viewer; agents of older versions have no such call. */
  'audience.viewer': {
    params: z.strictObject({ job: z.string(), viewer: z.number().int().positive() }),
    result: viewerDetail.and(z.object({ viewer: audienceViewer })),
  },

  'audience.publish': {
    params: z.strictObject({
      job: z.string(),
      protocol: z.enum(['whip', 'rtmp']),
      url: z.string(),
      sample: z.literal('sample-240p'),
      bearerToken: z.string().optional(),
      allowCrossOrigin: z.boolean().optional(),
    }),
    result: z.object({ job: z.string(), warnings: z.array(z.string()).nullish() }),
  },
  'audience.unpublish': {
    params: z.strictObject({ job: z.string(), force }),
    result: z.object({ job: z.string() }),
  },

  'lab.publish-sample': {
    params: z.strictObject({ stream: z.string(), sample: z.literal('sample-240p') }),
    result: z.object({ stream: z.string(), whepUrl: z.string() }),
  },
  'lab.unpublish': { params: z.strictObject({ stream: z.string() }), result: z.object({ viewers: count }) },
  'lab.streams': { params: nothing, result: z.object({ streams: z.array(labStream) }) },
  'lab.conditions': {
    params: labConditions.extend({
      stream: z.string(),
      /** Once: nothing is sent for that long, then all that was due. */
      pauseMs: z.number().min(0).max(9000).optional(),
    }),
    /** All that hold now. */
    result: labConditions.required().strip(),
  },
  'lab.viewers': {
    params: z.strictObject({
      stream: z.string(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    result: z.object({ total: count, viewers: z.array(labViewer) }),
  },
} as const;

export type AgentCallName = keyof typeof agentCalls;
export type AgentParams<C extends AgentCallName> = z.infer<(typeof agentCalls)[C]['params']>;
export type AgentResult<C extends AgentCallName> = z.infer<(typeof agentCalls)[C]['result']>;
