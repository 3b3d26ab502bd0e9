import type { HostKeyQuestion, NodeCapabilities } from './node';
import type { PullProtocol } from './protocols';
import type { NodeSettings, OriginSettings, SecretKind, TesterSettings } from './nodeSettings';

/** Results of a probe so far: the rows of Add node, what could be added, and what is missing. */
export interface ProbeView {
  readonly probe: string;
  readonly address: string;
  readonly startedMs: number;
  readonly isDone: boolean;
  /** The name of the host is not known here, so nothing can be added. */
  readonly isUnknownHost?: true;
  readonly rows: readonly ProbeRow[];
  /** As far as found. */
  readonly can: NodeCapabilities;
  /** Servers that responded, most certain first. Empty: no origin was found. */
  readonly origins: ReadonlyArray<{
    readonly software: string;
    readonly detail: string;
    readonly settings: OriginSettings;
    /** The stream that the address names. */
    readonly stream?: string;
  }>;
  /** What was played for one second, if that was requested. */
  readonly plays?: readonly ProbePlay[];
  /** It can be a tester, e.g. because SSH access works. */
  readonly tester?: TesterSettings;
  /** An unused name, e.g. `srs-7`. */
  readonly suggestedName: string;
  readonly suggestedRole: 'origin' | 'tester' | 'both';
  /** Missing credentials, each with a sentence that states their use. */
  readonly needs: ReadonlyArray<{ readonly kind: SecretKind | 'user' | 'apiKey'; readonly sentence: string }>;
  /** SSH waits for confirmation of this key. */
  readonly hostKey?: HostKeyQuestion;
}

/** One viewer that played a stream for a second, over one protocol. */
export interface ProbePlay {
  readonly protocol: PullProtocol;
  readonly address: string;
  readonly stream: string;
  /** Since its start; absent if no frame arrived. */
  readonly firstFrameMs?: number;
  /** Why nothing was played: one sentence. */
  readonly failed?: string;
}

/** What is probed, in display order. */
export const probeRowIds = [
  'address',
  'ssh',
  'system',
  'server',
  'play',
  'nodeExporter',
  'prometheus',
  'gc',
  'clock',
  'iperf3',
  'agent',
] as const;

/** One finding. */
export interface ProbeRow {
  readonly id: (typeof probeRowIds)[number];
  /** e.g. `SSH`, `node_exporter`. */
  readonly label: string;
  readonly state: 'probing' | 'found' | 'absent' | 'failed';
  /** The finding, first and emphasised, e.g. `SRS 7.0.18`. */
  readonly found: string;
  /** The rest, e.g. `API on 1985, one stream live`. */
  readonly detail?: string;
  /** Duration or progress, e.g. `4 / 10`. */
  readonly tookMs?: number;
  readonly progress?: string;
}

/** What would be added: one node, or two that share a host. */
export interface NodeToAdd {
  readonly name: string;
  readonly settings: NodeSettings;
}
