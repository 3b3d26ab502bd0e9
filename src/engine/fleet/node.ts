import type { FigureSources } from '../../domain/node/figureSources';
import type { NodeRole, NodeState, NodeView, StreamView } from '../../domain/model/node';
import type { NodeSettings } from '../../domain/model/nodeSettings';
import type { ProgramShare } from '../../domain/model/otherLoad';
import type { SeriesId } from '../../domain/series/series';
import type { Emitter } from '../base/emitter';
import type { SshLink } from '../links/ssh/sshLink';
import type { LoadDriver, PublicationSample, PullSample } from '../load/driver';
import type { ProcessIdentity } from '../telemetry/proc/serverProcesses';
import type { ServerAdapter, ServerSample } from '../servers/adapter';

/** What a node reports, as it happens. Times are in our clock. */
export type NodeChange =
  | { readonly kind: 'server'; readonly sample: ServerSample }
  | { readonly kind: 'pulls'; readonly samples: readonly PullSample[] }
  /** Figures of the node's own process. */
  | { readonly kind: 'process'; readonly timeMs: number; readonly values: Partial<Record<SeriesId, number>> }
  /** Figures of the host that the node runs on, if it is not ours. */
  | { readonly kind: 'host'; readonly timeMs: number; readonly values: Partial<Record<SeriesId, number>> }
  /** Figures of all publishers of a tester, and the samples that they are of. */
  | {
      readonly kind: 'publishers';
      readonly timeMs: number;
      readonly values: Partial<Record<SeriesId, number>>;
      readonly samples: readonly PublicationSample[];
    }
  /** A message of the node itself. */
  | {
      readonly kind: 'message';
      readonly timeMs: number;
      readonly name: string;
      readonly job?: string;
      /** The member's place in a tester group. */
      readonly member?: number;
      readonly stream?: string;
      /** By how much its machine's clock was set, in `clock-stepped`. */
      readonly stepMs?: number;
      /** For how long the server had not responded, in `publication-lost`. */
      readonly silentMs?: number;
      readonly sentence: string;
    }
  | {
      readonly kind: 'state';
      readonly state: NodeState;
      readonly before: NodeState;
      readonly problem?: string;
    }
  /** Something of its view other than the state changed: a link, a clock, a finding. */
  | { readonly kind: 'view' };

export { thisMachine } from '../../domain/model/host';

/** What can be measured on any host, as named in `NodeCapabilities.measure`. */
export const hostFigures: readonly string[] = ['CPU', 'load', 'memory', 'network', 'UDP errors', 'process'];

/** Without a sample for this long the node counts as not responding. */
export const staleAfterMs = 3500;

/** What differs after a restart, and what its server presents. */
export interface ServerFacts {
  /** Of the running system of its host, see `machineKey`. */
  readonly boot?: string | undefined;
  readonly processes?: readonly ProcessIdentity[] | undefined;
  /** Of the API's certificate, Unix ms. */
  readonly certificateExpiresMs?: number | undefined;
}

/** A node of the fleet, however it is reached. Errors are `FullhouseError`s with a sentence. */
export interface FleetNode {
  readonly id: string;
  readonly role: NodeRole;
  readonly settings: NodeSettings;
  /** The host that it runs on, as in its view. */
  readonly host: string;
  readonly changes: Emitter<NodeChange>;
  /** The source of each of its series. */
  readonly figures: FigureSources;
  readonly state: NodeState;
  /** The process id of what the engine started on this machine, while it runs. */
  readonly pid: number | undefined;
  /** The server's adapter. Throws a sentence when it can't be used. */
  readonly server: ServerAdapter;
  /** The driver that creates viewers. Throws a sentence when the node can't create viewers now. */
  readonly driver: LoadDriver;
  /** Whether `server` or `driver` can be used. */
  readonly running: boolean;
  /** Whether it runs and is not being stopped. */
  readonly staying: boolean;
  /** What it starts exists for one run only: it is stopped at the end of the run. */
  readonly endsWithRun?: boolean;
  /** A sentence for each HTTP proxy of its addresses, on what does not go through it. */
  proxyRemarks?(): readonly string[];
  /** Sentences about its server so far, such as what its API does not report: a run has them in its log. */
  serverRemarks?(): readonly string[];
  /**
   * The user and the password of its server, if an address is on the server's host: for servers that require a login for
   * their streams too. A secret.
   */
  loginFor?(address: string): { readonly user: string; readonly password: string } | undefined;
  /** By what its restarts are noticed; what is unknown now is absent. */
  readonly serverFacts?: ServerFacts;
  /** All streams that it is known to serve. */
  readonly streams: readonly StreamView[];
  view(name?: string): NodeView;
  /** Makes it ready to serve or to pull; does nothing when it is. `signal` gives up waiting for members of a group. */
  start(signal?: AbortSignal): Promise<void>;
  /** Stops what the engine started on it, with all streams and viewers; `force` skips the orderly shutdown. */
  stop(force?: boolean): Promise<void>;
  /** Checks once a second whether the node has stopped reporting. */
  tick(nowMs: number): void;
  /** The engine no longer needs it: links are closed, nothing more is reported. */
  close(): Promise<void>;
}

/** What a node that is reached over the network offers in addition. */
export interface RemoteNode extends FleetNode {
  /** The largest other programs on its host now; empty without a source of processes. */
  programs(): Promise<readonly ProgramShare[]>;
  /** Retries all its links at once. */
  reconnect(): void;
  /** Runs programs on its host. Rejects with a sentence when SSH can't connect. */
  shell(): Promise<SshLink>;
  /** Trusts the host key that waits for confirmation; throws when `fingerprint` is not its. */
  trustHostKey(fingerprint: string): void;
}

export function isRemote(node: FleetNode): node is RemoteNode {
  return 'trustHostKey' in node;
}

/** Whether it can list its streams; a plain address can't. */
export function listsStreams(node: FleetNode): boolean {
  return node.running && node.role === 'origin' && node.server.capabilities.measure.includes('streams');
}
