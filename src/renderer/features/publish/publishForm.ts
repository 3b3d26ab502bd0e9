import type { PublishKind } from '../../../contract/shell';
import type { NodeView } from '../../../domain/model/node';
import type { FieldProblem } from '../../ui/fieldProblem';
import { typedNumber } from '../../ui/format/numbers';
import { maxPublishers } from '../../../domain/model/plan';
import { isBuiltIn } from '../../parts/nodes/rowText';

/** Where a stream can be published: the lab always, other nodes if they accept one. */
export function publishTargets(nodes: readonly NodeView[]): readonly NodeView[] {
  const can = nodes.filter(
    (node) => node.role === 'origin' && (node.server === 'lab' || (node.can?.publish.length ?? 0) > 0),
  );
  return [...can.filter((node) => !isBuiltIn(node)), ...can.filter(isBuiltIn)];
}

/** Whether a tester must send the sample: only a lab generates it. */
export function needsSender(target: NodeView): boolean {
  return target.server !== 'lab';
}

/** Testers whose agent can send the sample; this machine's first, since it is always available. */
export function senders(nodes: readonly NodeView[]): readonly NodeView[] {
  const testers = nodes.filter(
    (node) =>
      node.role === 'tester' &&
      node.state !== 'failed' &&
      (node.settings === undefined || ('tester' in node.settings && node.settings.tester !== 'wcs')),
  );
  return [...testers.filter(isBuiltIn), ...testers.filter((node) => !isBuiltIn(node))];
}

/** Why a source can't be published to this node; undefined when it can. */
export function sourceProblem(target: NodeView, kind: PublishKind, from: readonly NodeView[]): string | undefined {
  if (kind === 'sample-240p')
    return needsSender(target) && from.length === 0 ? 'No tester available to send it.' : undefined;
  const can = target.can?.publish ?? ['whip'];
  return can.includes('whip') || can.includes('wcs')
    ? undefined
    : `Publishing needs WHIP, which ${target.name} does not support.`;
}

/** Several publishers as typed; none if it is one. */
export function readPublishers(
  count: string,
  rate: string,
): { readonly publishers?: number; readonly ratePerSecond?: number; readonly problem?: FieldProblem } {
  const [publishers, ratePerSecond] = [typedNumber(count), typedNumber(rate)];
  const problem = (sentence: string) => ({ problem: { path: 'publish.publishers', sentence } });
  if (publishers === undefined || !Number.isInteger(publishers) || publishers < 1 || publishers > maxPublishers)
    return problem(`Enter a number of publishers from 1 to ${maxPublishers}.`);
  if (publishers === 1) return {};
  if (!ratePerSecond) return problem('Enter how many publishers start per second, e.g. 20.');
  return { publishers, ratePerSecond };
}
