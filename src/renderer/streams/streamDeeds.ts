import type { NodeView } from '../../domain/node';

/** What can be done with a stream of a node; what is absent can't. */
export interface StreamDeeds {
  readonly play?: (stream: string) => void;
  readonly pull?: (stream: string) => void;
  /** Asks first. */
  readonly terminate?: (stream: string) => void;
}

/** Of all that could be done, what this node can. While it is not known what a node can, playing and pulling are tried. */
export function deedsOf(node: NodeView, all: StreamDeeds): StreamDeeds {
  const { can } = node;
  return {
    play: can && can.play.length === 0 ? undefined : all.play,
    pull: can && can.pull.length === 0 ? undefined : all.pull,
    terminate: can?.terminate ? all.terminate : undefined,
  };
}

/** A node that does not answer: what is known of its streams is of before. */
export function isSilent({ state }: NodeView): boolean {
  return state === 'stale' || state === 'failed';
}

/** Said in place of rows when a node lists none. */
export function noStreams(node: NodeView): string {
  if (isSilent(node))
    return [`What ${node.name} serves is not known now.`, node.problem].filter(Boolean).join(' ');
  if (node.state === 'starting') return `${node.name} is being reached; its streams appear once it answers.`;
  return `${node.name} serves no stream at the moment. One that is published appears here within a second or two.`;
}

/** Why there is no table of streams: one sentence. Undefined when there may be one. */
export function whyNoList(node: NodeView): string | undefined {
  if (node.role === 'tester') return `${node.name} is a tester: it plays streams and serves none.`;
  if (node.can && !node.can.measure.includes('streams'))
    return `${node.name} does not tell which streams it serves.`;
  if (node.state === 'idle') return `${node.name} is not running, so it serves no stream.`;
  return undefined;
}
