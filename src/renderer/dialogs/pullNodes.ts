import type { NodeView, StreamView } from '../../domain/node';
import { pullProtocols, type PullProtocol } from '../../domain/plan/plan';
import { counted } from '../format/numbers';
import { isBuiltIn } from '../nodes/rowText';
import type { PullForm } from './pullForm';

const sampleStream = 'cam';

/** A stream to pull: served now, published by this job first, or only known by its name. */
export interface PullTarget {
  readonly origin: NodeView;
  readonly stream: string;
  readonly served?: StreamView;
}

/** What is said of a node beside its name where one is chosen: what it runs, and how much there is to pull. */
export function aboutNode(node: NodeView): string {
  const count = node.streamCount ?? node.streams.length;
  const streams = node.role === 'origin' && count > 0 ? counted(count, 'stream') : '';
  return [node.software ?? node.server, streams].filter(Boolean).join(' · ');
}

/** Nodes that somebody can be sent to: those that serve streams or are known to. Those of this machine come last. */
export function pullOrigins(nodes: readonly NodeView[]): readonly NodeView[] {
  const can = nodes.filter(
    (node) =>
      node.role === 'origin' &&
      (node.server === 'lab' || node.streams.length > 0 || (node.can?.pull.length ?? 0) > 0),
  );
  return [...can.filter((node) => !isBuiltIn(node)), ...can.filter(isBuiltIn)];
}

/** The streams of an origin to choose from; for a lab without one the sample that would be published. */
export function pullTargets(origin: NodeView): readonly PullTarget[] {
  if (origin.streams.length > 0)
    return origin.streams.map((served) => ({ origin, stream: served.stream, served }));
  return origin.server === 'lab' ? [{ origin, stream: sampleStream }] : [];
}

/** What the form wants to pull, listed or not. */
export function targetOf(form: PullForm, nodes: readonly NodeView[]): PullTarget | undefined {
  const origin = pullOrigins(nodes).find(({ id }) => id === form.origin);
  const stream = form.stream.trim();
  if (!origin || !stream) return undefined;
  return { origin, stream, served: origin.streams.find((each) => each.stream === stream) };
}

/** The testers that are taken unless somebody chooses: the added ones, but this machine's own for its own lab. */
export function usualTesters(origin: NodeView | undefined, nodes: readonly NodeView[]): readonly string[] {
  const testers = nodes.filter((node) => node.role === 'tester');
  const added = testers.filter((node) => !isBuiltIn(node) && node.state !== 'failed');
  const isOurLab = origin !== undefined && origin.server === 'lab' && isBuiltIn(origin);
  const usual = isOurLab || added.length === 0 ? testers.filter(isBuiltIn) : added;
  return (usual.length > 0 ? usual : testers).map(({ id }) => id);
}

export function testersOf(form: PullForm, nodes: readonly NodeView[]): readonly NodeView[] {
  const origin = nodes.find(({ id }) => id === form.origin);
  const chosen = form.testers ?? usualTesters(origin, nodes);
  return nodes.filter((node) => node.role === 'tester' && chosen.includes(node.id));
}

/** The other nodes that somebody added and that answer: a run can record them beside its origin and its testers. */
export function watchable(form: PullForm, nodes: readonly NodeView[]): readonly NodeView[] {
  const busy = new Set([form.origin, ...testersOf(form, nodes).map(({ id }) => id)]);
  return nodes.filter((node) => !isBuiltIn(node) && node.state === 'live' && !busy.has(node.id));
}

/** Those of them that nobody left out. */
export function watchedOf(form: PullForm, nodes: readonly NodeView[]): readonly NodeView[] {
  return watchable(form, nodes).filter(({ id }) => !form.unwatched.includes(id));
}

/** Protocols that the origin serves by and that all of these testers pull by. WHEP while nothing is known of either. */
export function protocolsFor(
  origin: NodeView | undefined,
  testers: readonly NodeView[],
): readonly PullProtocol[] {
  const known = [origin, ...testers].flatMap((node) => (node?.can ? [node.can.pull] : []));
  if (!origin?.can) return ['whep'];
  return pullProtocols.filter((protocol) =>
    known.every((pull) => pull.length === 0 || pull.includes(protocol)),
  );
}
