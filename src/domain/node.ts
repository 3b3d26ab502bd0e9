import type { FigureSourceView } from './figureSources';
import type { TesterMeasured } from './tester/strength';
import type { LoadBefore } from './otherLoad/otherLoad';
import type { NodeSettings, SecretKind, ServerFamily } from './nodeSettings';

export { serverFamilies, type ServerFamily } from './nodeSettings';

/** What a node is in a run: the server under test, or a machine that plays the audience. */
export type NodeRole = 'origin' | 'tester';

export type NodeState =
  /** known, nothing started yet */
  | 'idle'
  | 'starting'
  | 'live'
  /** answered before and is silent now */
  | 'stale'
  | 'failed';

/** A node as the console shows it. */
export interface NodeView {
  readonly id: string;
  /** Name for people; in a plan's run it is the plan's name of the node. */
  readonly name: string;
  readonly role: NodeRole;
  readonly server?: ServerFamily;
  /** Position in the order of adding: gives the node its colour for life. */
  readonly colourSlot: number;
  readonly state: NodeState;
  /** What is wrong with it: one sentence that says what to do. */
  readonly problem?: string;
  /** Nothing is wrong, but more could be measured or done: one sentence that says how. */
  readonly note?: string;
  /** Server or agent with its version, e.g. `lab 0.1.0`. */
  readonly software?: string;
  /** How it is reached, e.g. `this machine`. */
  readonly reach: string;
  /** Host that the node runs on. Nodes with the same value share its CPU and memory. */
  readonly host: string;
  readonly lastSampleMs?: number;
  /** The first of the streams that it serves (`mostStreamsInView`); `nodes.streams` lists them all. */
  readonly streams: readonly StreamView[];
  /** How many streams it serves; absent where it can't tell. */
  readonly streamCount?: number;
  readonly machine?: MachineFingerprint;
  /** Most viewers this tester can play, with the reason; absent on origins. */
  readonly viewerLimit?: number;
  /** What its viewers were measured to cost it; absent on origins and where nothing was measured. */
  readonly measured?: TesterMeasured;
  /** How it was added. Absent in runs of older versions. */
  readonly settings?: NodeSettings;
  /** The lab and the tester of this machine are always there and can't be removed. */
  readonly builtIn?: boolean;
  readonly links?: readonly LinkView[];
  readonly can?: NodeCapabilities;
  readonly clock?: ClockView;
  /** Where its figures come from. Absent in runs of older versions. */
  readonly figureSources?: readonly FigureSourceView[];
  /** Where its GC pauses come from, e.g. `GC log over SSH (ZGC)`. */
  readonly gcSource?: string;
  /** Time that its API took for the last answer; `isSlow` once an answer took longer than a beat. */
  readonly answerMs?: number;
  readonly isSlow?: boolean;
  /** What would mend its `problem` or get more out of it: the button at the end of its row. */
  readonly remedy?: NodeRemedy;
  /** The host key that waits for a person's word. */
  readonly hostKey?: HostKeyQuestion;
  /** What iperf3 measured last between this node and another. */
  readonly capacity?: CapacityView;
  /** What other programs take of its host, while it is so much that a run would show it; by the default CPU limit. */
  readonly load?: LoadBefore;
  /** Kinds of secrets that are kept for it. */
  readonly secrets?: readonly SecretKind[];
}

/** More streams than these are only listed on request: a node's view crosses processes twice a second. */
export const mostStreamsInView = 100;

/** One way that leads to a node. */
export interface LinkView {
  readonly kind: 'loopback' | 'ssh' | 'agent' | 'api' | 'metrics' | 'media';
  /** For people, e.g. `REST 8081`, `SSH`, `agent`. */
  readonly label: string;
  readonly state: 'connecting' | 'live' | 'lost' | 'off';
  readonly problem?: string;
  /** The certificate is not checked, because the person said so. */
  readonly selfSigned?: boolean;
}

/** Protocols that a stream is published by. `livekit` and `wcs` are those servers' own signalling. */
export const publishProtocols = ['whip', 'rtmp', 'wcs', 'livekit', 'rtsp'] as const;
export type PublishProtocol = (typeof publishProtocols)[number];
/** Protocols that a stream is watched by. */
export const playProtocols = ['whep', 'rtmp', 'http-flv', 'hls', 'wcs', 'livekit', 'rtsp'] as const;
export type PlayProtocol = (typeof playProtocols)[number];

/** What can be done with a node and measured of it. */
export interface NodeCapabilities {
  /** By which a stream can be published from here. */
  readonly publish: readonly PublishProtocol[];
  /** By which the testers of this version pull. */
  readonly pull: readonly PlayProtocol[];
  /** By which the control player plays. */
  readonly play: readonly PlayProtocol[];
  /** All that the server serves by, whether anything here plays it yet or not. */
  readonly serves: readonly PlayProtocol[];
  /** Short words, e.g. `CPU`, `load`, `memory`, `network`, `UDP errors`, `process`, `streams`, `viewers`, `degraded`, `GC`. */
  readonly measure: readonly string[];
  /** A stream can be ended from here. */
  readonly terminate: boolean;
}

/** A node's clock against ours: `offsetMs` is theirs minus ours. */
export interface ClockView {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

export type NodeRemedy = 'add-ssh' | 'trust-key' | 'compare-keys' | 'enter-secret' | 'reconnect' | 'edit';

/** An SSH host key that is not known, or not the known one. */
export interface HostKeyQuestion {
  readonly state: 'unknown' | 'changed';
  /** `host` or `[host]:port`, as known_hosts writes it. */
  readonly host: string;
  /** e.g. `ssh-ed25519`. */
  readonly keyType: string;
  /** `SHA256:` and base64, as ssh prints it. */
  readonly fingerprint: string;
  /** For a changed key: the fingerprint that is known and where it stands, e.g. `~/.ssh/known_hosts line 12`. */
  readonly known?: { readonly fingerprint: string; readonly where: string };
}

export interface CapacityView {
  readonly mbps: number;
  readonly protocol: 'tcp' | 'udp';
  /** Name of the node at the other end. */
  readonly between: string;
  /** `out`: from this node to the other. */
  readonly direction: 'out' | 'in';
  readonly measuredMs: number;
}

/** A stream that an origin serves. */
export interface StreamView {
  readonly stream: string;
  /** Who publishes it, e.g. `sample-240p`, `WHIP`, `RTMP · 10.0.0.9`. */
  readonly source: string;
  /** Absent where the server does not tell. */
  readonly viewers?: number;
  /** Viewers that don't get it in time, by the server's own word. */
  readonly degraded?: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  /** Of the stream as it comes in, which is what one viewer receives. */
  readonly bitrateKbps?: number;
  readonly packetsPerSecond?: number;
  readonly ageMs?: number;
}

/** What a result was measured on. */
export interface MachineFingerprint {
  readonly system: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly openFilesLimit?: number;
  /** Software versions by name: fullhouse, agent, node, electron, go. */
  readonly versions: Readonly<Record<string, string>>;
}
