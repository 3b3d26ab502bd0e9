import type { NodeView, StreamView } from '../model/node';

/** A stream with the server that has it. */
export interface ServerStream extends StreamView {
  readonly nodeId: string;
  readonly server: string;
}

/** The streams of all servers, in the order of the nodes. */
export function allStreams(nodes: readonly NodeView[]): readonly ServerStream[] {
  return nodes
    .filter(({ role, state }) => role === 'origin' && state === 'live')
    .flatMap(({ id, name, streams }) => streams.map((stream) => ({ ...stream, nodeId: id, server: name })));
}

/** Servers whose list is longer than the part that reaches the window, with the number of the other streams. */
export function cutLists(nodes: readonly NodeView[]): readonly { readonly node: NodeView; readonly more: number }[] {
  return nodes.flatMap((node) => {
    const more = (node.streamCount ?? 0) - node.streams.length;
    return node.role === 'origin' && node.state === 'live' && more > 0 ? [{ node, more }] : [];
  });
}

/** Those whose stream, server or publisher has every word. */
export function matchingStreams(streams: readonly ServerStream[], filter: string): readonly ServerStream[] {
  const words = filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return streams;
  return streams.filter(({ stream, server, source }) => {
    const text = `${stream} ${server} ${source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
