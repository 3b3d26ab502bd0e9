import type { HostKeyQuestion, NodeCapabilities } from './node';
import type { NodeSettings, OriginSettings, SecretKind, TesterSettings } from './nodeSettings';

/** What a look at an address has found so far: the rows of Add node, what could be added, and what is missing. */
export interface ProbeView {
  readonly probe: string;
  readonly address: string;
  readonly startedMs: number;
  readonly isDone: boolean;
  readonly rows: readonly ProbeRow[];
  /** As far as found. */
  readonly can: NodeCapabilities;
  /** Servers that answered, the surest first. Empty: nothing to be an origin was found. */
  readonly origins: ReadonlyArray<{
    readonly software: string;
    readonly detail: string;
    readonly settings: OriginSettings;
  }>;
  /** It can be a tester, e.g. because SSH lets us in. */
  readonly tester?: TesterSettings;
  /** A name that is free, e.g. `srs-7`. */
  readonly suggestedName: string;
  readonly suggestedRole: 'origin' | 'tester' | 'both';
  /** Credentials without which something found can't be used, each with the sentence that says what for. */
  readonly needs: ReadonlyArray<{ readonly kind: SecretKind | 'user' | 'apiKey'; readonly sentence: string }>;
  /** SSH waits for a person's word on this key. */
  readonly hostKey?: HostKeyQuestion;
}

/** What is looked at, in the order in which it is shown. */
export const probeRowIds = [
  'address',
  'ssh',
  'system',
  'server',
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
  readonly state: 'looking' | 'found' | 'absent' | 'failed';
  /** What was found, first and emphasised, e.g. `SRS 7.0.18`. */
  readonly found: string;
  /** The rest, e.g. `API on 1985, one stream live`. */
  readonly detail?: string;
  /** How long it took, or how far it is, e.g. `4 / 10`. */
  readonly tookMs?: number;
  readonly progress?: string;
}

/** What becomes of an addition: one node, or two that share a host. */
export interface NodeToAdd {
  readonly name: string;
  readonly settings: NodeSettings;
}
