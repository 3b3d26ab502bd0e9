import { z } from 'zod';
import { maxLayers, sampleSource } from '../domain/model/plan';
import { pullProtocols } from '../domain/model/protocols';
import { maxHeaders } from '../domain/plan/headerRules';
import { alwaysSent, count, counter, timeMs } from './agentFields';
import { agentLimits } from './agentLimits';
import { role } from './agentProtocol';
import { agentPublisher, labStream, publishProtocol } from './agentSample';
import { labConditions, labViewer } from './labProtocol';
import { jobNetwork } from './networkProtocol';
import { recordConditions, recordedViewer } from './recordedViewer';
import { optionOrders } from './optionOrders';
import { jobTurn } from './turnProtocol';
import { audienceViewer, viewerDetail, viewerState } from './viewerSchemas';

const pullProtocol = z.enum(pullProtocols).meta({ id: 'PullProtocol', description: 'What viewers pull by.' });

const videoCodec = z
  .enum(['VP8', 'VP9', 'H264', 'AV1', 'H265'])
  .meta({ id: 'VideoCodec', description: 'A video codec, by its name in SDP.' });

const testerResource = z
  .enum(['cpu', 'socket-buffers', 'memory', 'network'])
  .meta({ id: 'TesterResource', description: 'A resource whose lack limits the viewers of a tester.' });

export const helloResult = z
  .object({
    protocol: z.number().int(),
    agent: z.string(),
    role,
    instance: z.string(),
    pid: z.number().int(),
    nowMs: timeMs,
    oldestSequence: counter,
    latestSequence: counter,
    host: z
      .object({
        system: z.string(),
        architecture: z.string(),
        kernel: z.string(),
        cpuModel: z.string(),
        cores: count,
        memoryBytes: counter,
      })
      .meta({ id: 'Host', description: "The agent's machine. What the system does not report is empty or 0." }),
    limits: z.object({ openFiles: counter, viewers: count }).meta({
      id: 'Limits',
      description: 'The maximums of an agent; OpenFiles is 0 if the system sets no such limit.',
    }),
    unmeasured: z
      .array(testerResource)
      .optional()
      .describe('Resources that the system of an audience does not report, so that a lack of them stays unknown.'),
    protocols: z.array(z.string()).optional(),
    publishes: z
      .array(z.string())
      .optional()
      .describe('Protocols over which it can publish a sample; absent without samples.'),
    reader: z
      .string()
      .optional()
      .describe('How an audience receives datagrams: io_uring, or where unavailable the costlier epoll or portable.'),
    http: z.string().optional(),
    consoles: counter.optional().describe('Consoles that are connected, this one included.'),
  })
  .meta({ id: 'HelloResult', description: 'Describes the agent.' });
export type HelloResult = z.infer<typeof helloResult>;

const nothing = z.strictObject({});
const present = z.object({ present: count }).meta({ id: 'Present', description: 'Counts the viewers still present.' });
const force = z.boolean().optional().describe('Without closing the sessions at the server.');
const warnings = alwaysSent(z.array(z.string()).nullable()).describe('Sentences.');
/** Name of a job, chosen by the engine. */
const newJob = z.string().max(200);
const page = {
  offset: count,
  limit: z.number().int().min(1).max(agentLimits.maxViewersListed),
};
const sample = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    `${sampleSource}, or the path of a video file on the agent's machine: .mp4 or .mov, or .h264 or .h265 (Annex B, 25 fps) or .ivf (VP8, VP9, AV1) with .ogg (Opus) beside it, or .ts, .flv, .mkv, .webm or .avi, which the agent's machine needs ffmpeg for.`,
  );
/** From the first media of a viewer. */
const watchMs = count.min(agentLimits.minWatchMs).max(agentLimits.maxWatchMs).meta({ goType: 'int64' });
const server = {
  bearerToken: z.string().optional().describe('WHEP and WHIP only.'),
  allowCrossOrigin: z
    .boolean()
    .optional()
    .describe("A redirect, or a session's Location, may lead to another origin than url."),
  selfSigned: z.boolean().optional().describe("The server's certificate is not verified, also after a redirect."),
  proxy: z
    .string()
    .optional()
    .describe(
      'HTTP proxy for HTTP and WebSocket, as `http://USER:PASSWORD@HOST:PORT`, or `none`; default: that of the variables of the agent.',
    ),
  login: z
    .strictObject({ user: z.string().min(1), password: z.string() })
    .meta({ id: 'Login', description: 'A user of a server.' })
    .optional()
    .describe('WHEP and WHIP only: sent to the origin of url if it requires Basic authentication.'),
};

/** All calls to the agent, with their results. */
export const agentCalls = {
  hello: {
    params: z.strictObject({
      protocol: z.number().int(),
      client: z
        .strictObject({ name: z.string(), version: z.string() })
        .meta({ id: 'Client', description: 'Identifies the caller.' }),
      resumeAfter: counter.optional().describe('Without it only new records are sent.'),
    }),
    result: helloResult,
  },
  ping: { params: nothing, result: z.object({ nowMs: timeMs }) },
  'stop-all': { params: z.strictObject({ force }), result: present },
  shutdown: { params: nothing, result: z.object({}).optional() },

  'audience.start': {
    params: z.strictObject({
      job: newJob,
      protocol: pullProtocol,
      url: z.string().optional(),
      urls: z
        .array(z.string())
        .min(1)
        .max(agentLimits.maxStreams)
        .optional()
        .describe('Instead of url: each viewer takes the next address, in turn.'),
      stream: z
        .string()
        .min(1)
        .optional()
        .describe('WCS only, whose address is that of the server: the stream to pull.'),
      viewers: z.number().int().positive(),
      ratePerSecond: z.number().positive(),
      holdMs: count
        .max(30 * 24 * 3_600_000)
        .meta({ goType: 'int64', description: 'From the last arrival; 0: until stopped.' }),
      ...server,
      tokens: z
        .array(z.string().min(1))
        .optional()
        .describe(
          'LiveKit, WHEP instead of bearerToken, and for {token} in headers: one per viewer. Secrets: in no log and no sample.',
        ),
      headers: z
        .array(
          z.strictObject({ name: z.string().min(1), value: z.string().min(1) }).meta({
            id: 'HeaderField',
            description: 'A header; {n} in its value is the number of the viewer, {token} its token.',
          }),
        )
        .max(maxHeaders)
        .optional()
        .describe('Over HTTP only: sent with each request to the origin. Secrets, as tokens are.'),
      firstViewer: z
        .number()
        .int()
        .positive()
        .optional()
        .meta({ description: 'For {n}: the number of the first viewer; 1 by default.' }),
      nominalFps: z
        .number()
        .positive()
        .max(1000)
        .optional()
        .describe("When absent, the frame rate is taken from the audience's own 90th percentile."),
      parallel: z
        .number()
        .int()
        .positive()
        .max(1024)
        .optional()
        .meta({ default: 32, description: 'Handshakes at once.' }),
      stageTimeoutMs: z.number().int().min(100).max(120_000).optional().meta({ default: 5000, goType: 'int64' }),
      ...optionOrders,
      watch: z
        .strictObject({ minMs: watchMs, maxMs: watchMs })
        .meta({ id: 'JobWatch', description: 'How long each viewer watches: a uniform draw between both.' })
        .optional()
        .describe('A viewer that was connected this long disconnects, and a new one connects in its place.'),
      adaptiveStream: z
        .strictObject({ width: z.number().int().min(1).max(16_384), height: z.number().int().min(1).max(16_384) })
        .meta({ id: 'ElementSize', description: 'Size of the element that would show a video, in pixels.' })
        .optional()
        .describe(
          'LiveKit only: the server sends the smallest layer that fills an element of this size; the largest by default.',
        ),
      codecs: z
        .array(videoCodec)
        .max(8)
        .optional()
        .describe('WebRTC only: the offered video codecs, in the order of a browser; all when absent.'),
      decryptPercent: z.number().min(0).max(100).optional().meta({
        default: 0.2,
        description: 'WebRTC only: share of packets decrypted in addition to those that always are.',
      }),
      room: z
        .strictObject({
          size: z
            .number()
            .int()
            .min(agentLimits.minRoomSize)
            .max(agentLimits.maxRoomSize)
            .describe('Participants of each room.'),
          sample,
        })
        .meta({ id: 'JobRoom', description: 'Each viewer publishes a sample, and receives all others of its room.' })
        .optional()
        .describe('LiveKit only: the viewers are participants of the rooms that their tokens name.'),
      network: jobNetwork.optional().describe('Absent: the real network only.'),
      turn: jobTurn.optional().describe('WebRTC only. Absent: all viewers are direct.'),
    }),
    result: z.object({ job: z.string(), viewers: count, warnings }),
  },
  'audience.stop': { params: z.strictObject({ job: z.string(), force }), result: present },
  'audience.viewers': {
    params: z.strictObject({ job: z.string(), ...page, state: viewerState.optional() }),
    result: z.object({ total: count.describe('All that match the state.'), viewers: z.array(audienceViewer) }),
  },
  /** All details of one viewer; agents of older versions lack this call. */
  'audience.viewer': {
    params: z.strictObject({ job: z.string(), viewer: z.number().int().positive() }),
    result: z.object({ viewer: audienceViewer }).and(viewerDetail),
  },

  'audience.publish': {
    params: z.strictObject({
      job: newJob,
      protocol: publishProtocol,
      url: z.string().optional(),
      sample,
      simulcast: z
        .array(sample)
        .min(1)
        .max(maxLayers - 1)
        .optional()
        .describe('WHIP and LiveKit: the samples of the smaller layers, of the same codec; the server picks.'),
      dynacast: z.boolean().optional().describe('LiveKit: layers that nobody watches are not sent.'),
      ...server,
      targets: z
        .array(
          z
            .strictObject({ url: z.string(), bearerToken: z.string().optional() })
            .meta({ id: 'PublishTarget', description: 'Where one of several publishers publishes.' }),
        )
        .min(1)
        .max(agentLimits.maxPublishers)
        .optional()
        .describe('Instead of url and bearerToken: one publisher each.'),
      ratePerSecond: z
        .number()
        .positive()
        .optional()
        .meta({ default: 20, description: 'At which the publishers of targets start.' }),
    }),
    result: z.object({ job: z.string(), warnings }),
  },
  /** The publishers of a job; agents of older versions lack this call. */
  'audience.publishers': {
    params: z.strictObject({ job: z.string(), ...page }),
    result: z.object({ total: count, publishers: z.array(agentPublisher) }),
  },
  'audience.unpublish': {
    params: z.strictObject({ job: z.string(), force }),
    result: z.object({ job: z.string() }),
  },

  'lab.publish-sample': {
    params: z.strictObject({ stream: z.string(), sample }),
    result: z.object({ stream: z.string(), whepUrl: z.string() }),
  },
  'lab.unpublish': { params: z.strictObject({ stream: z.string() }), result: z.object({ viewers: count }) },
  'lab.streams': { params: nothing, result: z.object({ streams: z.array(labStream) }) },
  'lab.conditions': {
    params: labConditions.extend({
      stream: z.string(),
      pauseMs: z
        .number()
        .min(0)
        .max(9000)
        .optional()
        .describe('Once: sends nothing for that long, then everything that is due.'),
    }),
    /** All conditions now in effect. */
    result: labConditions.required().strip(),
  },
  'lab.viewers': {
    params: z.strictObject({ stream: z.string(), ...page }),
    result: z.object({ total: count, viewers: z.array(labViewer) }),
  },
  /** Opens an origin beside the others that plays the sample to its viewers and records what they send. */
  'lab.record': {
    params: recordConditions.extend({ sample }),
    result: z.object({ record: z.string(), whepUrl: z.string() }),
  },
  /** What its viewers have sent so far, in the order of their offers. */
  'lab.recorded': {
    params: z.strictObject({
      record: z.string(),
      close: z
        .boolean()
        .optional()
        .describe('The origin is closed afterwards, without closing the sessions of its viewers.'),
    }),
    result: z.object({ viewers: z.array(recordedViewer) }),
  },
} as const;

export type AgentCallName = keyof typeof agentCalls;
export type AgentParams<C extends AgentCallName> = z.infer<(typeof agentCalls)[C]['params']>;
export type AgentResult<C extends AgentCallName> = z.infer<(typeof agentCalls)[C]['result']>;
