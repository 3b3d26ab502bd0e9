/** Families of servers that an adapter exists for. */
export const serverFamilies = ['lab'] as const;
export type ServerFamily = (typeof serverFamilies)[number];

/** Where a tester's agent runs. `local` is this machine; addresses of other machines come with the SSH link. */
export type TesterAddress = 'local';

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
  /** For `failed` and `stale`: one sentence that says what to do. */
  readonly problem?: string;
  /** Server or agent with its version, e.g. `lab 0.1.0`. */
  readonly software?: string;
  /** How it is reached, e.g. `this machine`. */
  readonly reach: string;
  /** Host that the node runs on. Nodes with the same value share its CPU and memory. */
  readonly host: string;
  readonly lastSampleMs?: number;
  readonly streams: readonly StreamView[];
  readonly machine?: MachineFingerprint;
  /** Most viewers this tester can play, with the reason; absent on origins. */
  readonly viewerLimit?: number;
}

/** A stream that an origin serves. */
export interface StreamView {
  readonly stream: string;
  readonly source: string;
  readonly viewers: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  /** What one viewer receives. */
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
