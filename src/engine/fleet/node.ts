import type { FigureSources } from '../../domain/figureSources';
import type { NodeRole, NodeState, NodeView, StreamView } from '../../domain/node';
import type { NodeSettings } from '../../domain/nodeSettings';
import type { ProgramShare } from '../../domain/otherLoad/otherLoad';
import type { SeriesId } from '../../domain/series';
import type { Emitter } from '../emitter';
import type { SshLink } from '../links/ssh/sshLink';
import type { LoadDriver, PullSample } from '../load/driver';
import type { ServerAdapter, ServerSample } from '../servers/adapter';

/** What a node has to tell, as it happens. Times are in our clock. */
export type NodeNews =
  | { readonly kind: 'server'; readonly sample: ServerSample }
  | { readonly kind: 'pulls'; readonly samples: readonly PullSample[] }
  /** Figures of the node's own process. */
  | { readonly kind: 'process'; readonly timeMs: number; readonly values: Partial<Record<SeriesId, number>> }
  /** Figures of the host that the node runs on, when it is another than ours. */
  | { readonly kind: 'host'; readonly timeMs: number; readonly values: Partial<Record<SeriesId, number>> }
  /** The node's own word. */
  | {
      readonly kind: 'said';
      readonly timeMs: number;
      readonly name: string;
      readonly job?: string;
      readonly stream?: string;
      /** Of `clock-stepped`: by how much its machine's clock was set. */
      readonly stepMs?: number;
      readonly sentence: string;
    }
  | {
      readonly kind: 'state';
      readonly state: NodeState;
      readonly before: NodeState;
      readonly problem?: string;
    }
  /** Something of its view changed that is no state: a link, a clock, a finding. */
  | { readonly kind: 'view' };

export { thisMachine } from '../../domain/host';

/** What can be measured of any host, in the words of `NodeCapabilities.measure`. */
export const hostFigures: readonly string[] = ['CPU', 'load', 'memory', 'network', 'UDP errors', 'process'];

/** No sample for this long: the node counts as silent. */
export const staleAfterMs = 3500;

/** A node of the fleet, whatever leads to it. Errors are `FullhouseError`s with a sentence. */
export interface FleetNode {
  readonly id: string;
  readonly role: NodeRole;
  readonly settings: NodeSettings;
  /** The host that it runs on, as in its view. */
  readonly host: string;
  readonly news: Emitter<NodeNews>;
  /** Which source each of its series comes from. */
  readonly figures: FigureSources;
  readonly state: NodeState;
  /** The process id of what the engine started on this machine, while there is one. */
  readonly pid: number | undefined;
  /** The server's adapter. Throws a sentence when there is none to be asked. */
  readonly server: ServerAdapter;
  /** The way to make an audience. Throws a sentence when the node can't make one now. */
  readonly driver: LoadDriver;
  /** Whether `server` or `driver` can be used. */
  readonly running: boolean;
  /** Whether it runs and nobody is about to end it. */
  readonly staying: boolean;
  /** All streams that it is known to serve. */
  readonly streams: readonly StreamView[];
  view(name?: string): NodeView;
  /** Makes it ready to serve or to play; does nothing when it is. */
  start(): Promise<void>;
  /** Ends what the engine started on it, with everybody it holds; `force` without a word to anybody. */
  stop(force?: boolean): Promise<void>;
  /** Looks once a second whether the node has gone silent. */
  tick(nowMs: number): void;
  /** The engine is done with it: links are closed, nothing more is told. */
  close(): Promise<void>;
}

/** What a node that is reached over the network offers besides. */
export interface RemoteNode extends FleetNode {
  /** The largest other programs on its host now; none where nothing tells of processes. */
  programs(): Promise<readonly ProgramShare[]>;
  /** Tries all its links again at once. */
  reconnect(): void;
  /** A way to run programs on its host. Rejects with a sentence when SSH does not let us in. */
  shell(): Promise<SshLink>;
  /** Trusts the host key that waits for a person's word; throws when `fingerprint` is not its. */
  trustHostKey(fingerprint: string): void;
}

export function isRemote(node: FleetNode): node is RemoteNode {
  return 'trustHostKey' in node;
}

/** Whether it can tell which streams there are; a plain address can't. */
export function listsStreams(node: FleetNode): boolean {
  return node.running && node.role === 'origin' && node.server.capabilities.measure.includes('streams');
}
