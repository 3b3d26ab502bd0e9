import type { NodeView, StreamView } from '../../../domain/model/node';
import { pullProtocols, type PullProtocol } from '../../../domain/model/protocols';
import { isBuiltIn } from '../../parts/nodes/rowText';
import type { PullForm } from './pullFormFields';

const sampleStream = 'cam';

/** A stream to pull: served now, published by this job first, or known by name only. */
export interface PullTarget {
  readonly origin: NodeView;
  readonly stream: string;
  readonly served?: StreamView;
}

/** Nodes to pull from: those that serve streams or can. Those of this machine come last. */
export function pullOrigins(nodes: readonly NodeView[]): readonly NodeView[] {
  const can = nodes.filter(
    (node) =>
      node.role === 'origin' && (node.server === 'lab' || node.streams.length > 0 || (node.can?.pull.length ?? 0) > 0),
  );
  return [...can.filter((node) => !isBuiltIn(node)), ...can.filter(isBuiltIn)];
}

/** The streams of an origin to choose from; for a lab without any, the sample that would be published. */
export function pullTargets(origin: NodeView): readonly PullTarget[] {
  if (origin.streams.length > 0) return origin.streams.map((served) => ({ origin, stream: served.stream, served }));
  return origin.server === 'lab' ? [{ origin, stream: sampleStream }] : [];
}

/** The stream selected in the form, listed or not. */
export function targetOf(form: PullForm, nodes: readonly NodeView[]): PullTarget | undefined {
  const origin = pullOrigins(nodes).find(({ id }) => id === form.origin);
  const stream = form.stream.trim();
  if (!origin || !stream) return undefined;
  return { origin, stream, served: origin.streams.find((each) => each.stream === stream) };
}

/** Default testers: the added ones, but for this machine's lab its local tester. */
function defaultTesters(origin: NodeView | undefined, nodes: readonly NodeView[]): readonly string[] {
  const testers = nodes.filter((node) => node.role === 'tester');
  const added = testers.filter((node) => !isBuiltIn(node) && node.state !== 'failed');
  const isOurLab = origin !== undefined && origin.server === 'lab' && isBuiltIn(origin);
  const usual = isOurLab || added.length === 0 ? testers.filter(isBuiltIn) : added;
  return (usual.length > 0 ? usual : testers).map(({ id }) => id);
}

export function testersOf(form: PullForm, nodes: readonly NodeView[]): readonly NodeView[] {
  const origin = nodes.find(({ id }) => id === form.origin);
  const chosen = form.testers ?? defaultTesters(origin, nodes);
  return nodes.filter((node) => node.role === 'tester' && chosen.includes(node.id));
}

/** Other added nodes that respond: a run can record them besides its origin and testers. */
export function observableNodes(form: PullForm, nodes: readonly NodeView[]): readonly NodeView[] {
  const busy = new Set([form.origin, ...testersOf(form, nodes).map(({ id }) => id)]);
  return nodes.filter((node) => !isBuiltIn(node) && node.state === 'live' && !busy.has(node.id));
}

/** Those that are not excluded. */
export function observedNodes(form: PullForm, nodes: readonly NodeView[]): readonly NodeView[] {
  return observableNodes(form, nodes).filter(({ id }) => !form.unobserved.includes(id));
}

/** Protocols that the origin serves and all of these testers pull. WHEP while nothing is known of either. */
export function protocolsFor(origin: NodeView | undefined, testers: readonly NodeView[]): readonly PullProtocol[] {
  const known = [origin, ...testers].flatMap((node) => (node?.can ? [node.can.pull] : []));
  if (!origin?.can) return ['whep'];
  return pullProtocols.filter((protocol) => known.every((pull) => pull.length === 0 || pull.includes(protocol)));
}
