import { z } from 'zod';
import { pullProtocols } from './protocols';
import { count, immutable, timeMs, type Immutable } from './schema';
import { testerMeasured } from './testerMeasured';
import { hostState } from './otherLoad';
import { secretKinds, type NodeSettings } from './nodeSettings';
import { serverFamilies } from './serverFamilies';

/** Sources of the figures of a node, for display. */
const figureSource = immutable(
  z.object({
    of: z.enum(['host', 'process']),
    /** e.g. `CPU, memory, network`. */
    figures: z.string(),
    /** e.g. `/proc over SSH`. */
    source: z.string(),
    /** Other sources of the same figures, recorded under their own names. */
    others: z.array(z.string()),
  }),
);
export type FigureSourceView = z.infer<typeof figureSource>;

/** The role of a node in a run: the server under test, or a load generator. */
const nodeRoles = ['origin', 'tester'] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** `idle`: known, nothing started yet; `stale`: responded before, does not respond now. */
const nodeStates = ['idle', 'starting', 'live', 'stale', 'failed'] as const;
export type NodeState = (typeof nodeStates)[number];

/** The members of a tester group. */
const groupView = immutable(
  z.object({
    size: count,
    ready: count,
    /** Names of all, by place. */
    members: z.array(z.string()),
    /** Those that are not ready; without a reason while nothing speaks against them. */
    missing: z.array(
      z.object({ index: count, name: z.string(), reason: z.string().optional(), isFinal: z.boolean().optional() }),
    ),
  }),
);
export type GroupView = z.infer<typeof groupView>;

/** Further streams are only listed on request: a node's view crosses processes twice a second. */
export const maxStreamsInView = 100;

/** One connection to a node. */
const linkView = immutable(
  z.object({
    kind: z.enum(['loopback', 'ssh', 'agent', 'api', 'metrics', 'media']),
    /** Display name, e.g. `REST 8081`, `SSH`, `agent`. */
    label: z.string(),
    state: z.enum(['connecting', 'live', 'lost', 'off']),
    problem: z.string().optional(),
    /** The certificate is not checked, as configured by the user. */
    selfSigned: z.boolean().optional(),
  }),
);
export type LinkView = z.infer<typeof linkView>;

/** Protocols for publishing a stream. `livekit` and `wcs` are those servers' own signalling. */
export const publishProtocols = ['whip', 'rtmp', 'wcs', 'livekit', 'rtsp', 'srt'] as const;
export type PublishProtocol = (typeof publishProtocols)[number];

/** What a node supports and what can be measured on it. */
export const nodeCapabilities = immutable(
  z.object({
    /** Protocols for publishing from here. */
    publish: z.array(z.enum(publishProtocols)),
    /** Protocols for pulling with testers of this version. */
    pull: z.array(z.enum(pullProtocols)),
    /** Protocols for the control player. */
    play: z.array(z.enum(pullProtocols)),
    /** All protocols that the server serves, even those that can't be played here. */
    serves: z.array(z.enum(pullProtocols)),
    /**
     * Short words, e.g. `CPU`, `load`, `memory`, `network`, `UDP errors`, `process`, `streams`, `viewers`, `degraded`,
     * `GC`.
     */
    measure: z.array(z.string()),
    /** A stream can be ended from here. */
    terminate: z.boolean(),
    /** The server pulls streams from RTSP addresses. */
    capture: z.boolean().optional(),
  }),
);
export type NodeCapabilities = z.infer<typeof nodeCapabilities>;

/** Clock offset of a node: `offsetMs` is its time minus ours. */
const clockView = immutable(z.object({ offsetMs: z.number(), uncertaintyMs: z.number() }));
export type ClockView = z.infer<typeof clockView>;

const nodeFixes = ['add-ssh', 'trust-key', 'compare-keys', 'enter-secret', 'reconnect', 'edit'] as const;
export type NodeFix = (typeof nodeFixes)[number];

/** An SSH host key that is unknown, or differs from the known one. */
export const hostKeyQuestion = immutable(
  z.object({
    state: z.enum(['unknown', 'changed']),
    /** `host` or `[host]:port`, as known_hosts writes it. */
    host: z.string(),
    /** e.g. `ssh-ed25519`. */
    keyType: z.string(),
    /** `SHA256:` and base64, as printed by ssh. */
    fingerprint: z.string(),
    /** For a changed key: the known fingerprint and its location, e.g. `~/.ssh/known_hosts line 12`. */
    known: z.object({ fingerprint: z.string(), where: z.string() }).optional(),
  }),
);
export type HostKeyQuestion = z.infer<typeof hostKeyQuestion>;

const capacityView = immutable(
  z.object({
    mbps: z.number(),
    protocol: z.enum(['tcp', 'udp']),
    /** Name of the node at the other end. */
    between: z.string(),
    /** `out`: from this node to the other. */
    direction: z.enum(['out', 'in']),
    measuredMs: count,
  }),
);
export type CapacityView = z.infer<typeof capacityView>;

/** A stream that an origin serves. */
export const streamView = immutable(
  z.object({
    stream: z.string(),
    /** Its publisher, e.g. `sample-240p`, `WHIP`, `RTMP · 10.0.0.9`, or `noPublisher`. */
    source: z.string(),
    /** Absent if the server does not report it. */
    viewers: count.optional(),
    /** Its viewers by protocol, where the server reports their kinds. */
    viewersBy: z.partialRecord(z.enum(pullProtocols), count).optional(),
    /** Viewers that don't receive it in time, as reported by the server. */
    degraded: count.optional(),
    videoCodec: z.string().optional(),
    audioCodec: z.string().optional(),
    width: count.optional(),
    height: count.optional(),
    fps: z.number().optional(),
    /** Bit rate of the incoming stream, which is what one viewer receives. */
    bitrateKbps: z.number().optional(),
    packetsPerSecond: z.number().optional(),
    ageMs: z.number().optional(),
    /** B-frames since its start, where the server counts them: WebRTC viewers can't show them in order. */
    bFrames: count.optional(),
    /** NACKs and lost packets of its video, as counted by the server. */
    nacksPerSecond: z.number().optional(),
    lostPerSecond: z.number().optional(),
  }),
);
export type StreamView = z.infer<typeof streamView>;

/** The source of a stream that the server lists although nobody publishes it, e.g. one that all have left. */
export const noPublisher = 'no publisher';

export const hasPublisher = ({ source }: Pick<StreamView, 'source'>): boolean => source !== noPublisher;

/** The machine on which a result was measured. */
const machineFingerprint = immutable(
  z.object({
    system: z.string(),
    kernel: z.string(),
    cpuModel: z.string(),
    cores: count,
    memoryBytes: count,
    openFilesLimit: count.optional(),
    /** Resources that a tester's system does not report, so that a lack of them stays unknown. */
    unmeasured: z.array(z.enum(['cpu', 'socket-buffers', 'memory', 'network'])).optional(),
    /** Software versions by name: fullhouse, agent, node, electron, go. */
    versions: z.record(z.string(), z.string()),
  }),
);
export type MachineFingerprint = z.infer<typeof machineFingerprint>;

/** A node as shown by the console, besides its id and settings. */
export const nodeFields = {
  /** Display name; in a plan's run, the plan's name of the node. */
  name: z.string(),
  role: z.enum(nodeRoles),
  server: z.enum(serverFamilies).optional(),
  /** Position in the order of adding: determines the node's permanent colour. */
  colourSlot: count,
  state: z.enum(nodeStates),
  /** Its problem: one sentence that states what to do. */
  problem: z.string().optional(),
  /** No problem, but more could be measured or done: one sentence that states how. */
  note: z.string().optional(),
  /** Server or agent with its version, e.g. `lab 0.1.0`. */
  software: z.string().optional(),
  /** How it is connected, e.g. `this machine`. */
  reach: z.string(),
  /** Host that the node runs on. Nodes with the same value share its CPU and memory. */
  host: z.string(),
  lastSampleMs: timeMs.optional(),
  /** The first of the streams that it serves (`maxStreamsInView`); `nodes.streams` lists them all. */
  streams: z.array(streamView),
  /** How many streams it serves; absent if unknown. */
  streamCount: count.optional(),
  machine: machineFingerprint.optional(),
  /** Maximum number of viewers of this tester, with the reason; absent on origins. */
  viewerLimit: count.optional(),
  /** Present for a tester group. */
  group: groupView.optional(),
  /** Measured cost of its viewers; absent on origins and if nothing was measured. */
  measured: testerMeasured.optional(),
  /** The lab and the tester of this machine always exist and can't be removed. */
  builtIn: z.boolean().optional(),
  links: z.array(linkView).optional(),
  can: nodeCapabilities.optional(),
  clock: clockView.optional(),
  /** Sources of its figures. Absent in runs of older versions. */
  figureSources: z.array(figureSource).optional(),
  /** Source of its GC pauses, e.g. `GC log over SSH (ZGC)`. */
  gcSource: z.string().optional(),
  /** Why its configured GC log shows nothing; absent once a line of a collector was read. */
  gcProblem: z.string().optional(),
  /** Duration of the latest API response; `isSlow` once a response took longer than a polling interval. */
  responseMs: z.number().optional(),
  isSlow: z.boolean().optional(),
  /** A fix for its `problem`, or a way to measure more: the button at the end of its row. */
  fix: z.enum(nodeFixes).optional(),
  /** The host key that needs confirmation by the user. */
  hostKey: hostKeyQuestion.optional(),
  /** The latest iperf3 result between this node and another. */
  capacity: capacityView.optional(),
  /** CPU use by other programs on its host, while it is high enough to affect a run; by the default CPU limit. */
  load: hostState.optional(),
  /** Kinds of secrets stored for it. */
  secrets: z.array(z.enum(secretKinds)).optional(),
};

/** A node as shown by the console. */
export interface NodeView extends Immutable<z.infer<z.ZodObject<typeof nodeFields>>> {
  readonly id: string;
  /** How it was added. Absent in runs of older versions. */
  readonly settings?: NodeSettings;
}
