import type { NodeView } from '../../../domain/model/node';

/** Actions for a stream of a node; absent ones are unavailable. */
export interface StreamActions {
  readonly play?: (stream: string) => void;
  readonly pull?: (stream: string) => void;
  /** After confirmation. */
  readonly terminate?: (stream: string) => void;
}

/** The actions that this node supports. While its capabilities are unknown, play and pull are offered. */
export function streamActionsOf(node: NodeView, all: StreamActions): StreamActions {
  const { can } = node;
  return {
    play: can && can.play.length === 0 ? undefined : all.play,
    pull: can && can.pull.length === 0 ? undefined : all.pull,
    terminate: can?.terminate ? all.terminate : undefined,
  };
}

/** A node that does not respond: its list of streams is stale. */
export function isUnresponsive({ state }: NodeView): boolean {
  return state === 'stale' || state === 'failed';
}

/** Shown instead of rows if a node lists none. */
export function noStreams(node: NodeView): string {
  if (isUnresponsive(node))
    return [`The streams of ${node.name} are unknown now.`, node.problem].filter(Boolean).join(' ');
  if (node.state === 'starting') return `Connecting to ${node.name}. Its streams appear once it responds.`;
  return `${node.name} serves no streams. A new stream appears here within two seconds.`;
}

/** Why there is no table of streams: one sentence. Undefined if there may be one. */
export function noListReason(node: NodeView): string | undefined {
  if (node.role === 'tester') return `${node.name} is a tester: it pulls streams and serves none.`;
  if (node.can && !node.can.measure.includes('streams')) return `${node.name} does not list its streams.`;
  if (node.state === 'idle') return `${node.name} is not running, so it serves no streams.`;
  return undefined;
}
