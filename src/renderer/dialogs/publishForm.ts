import type { NodeView } from '../../domain/node';
import { isBuiltIn } from '../nodes/rowText';

export const publishKinds = ['sample-240p', 'pattern', 'camera', 'screen'] as const;
export type PublishKind = (typeof publishKinds)[number];

/** Where a stream can be published to: the lab always, others as far as they take one. */
export function publishTargets(nodes: readonly NodeView[]): readonly NodeView[] {
  const can = nodes.filter(
    (node) => node.role === 'origin' && (node.server === 'lab' || (node.can?.publish.length ?? 0) > 0),
  );
  return [...can.filter((node) => !isBuiltIn(node)), ...can.filter(isBuiltIn)];
}

/** Whether somebody else must send the lab's sample: only a lab makes it by itself. */
export function needsSender(target: NodeView): boolean {
  return target.server !== 'lab';
}

/** Testers whose agent can send the sample; this machine's first, since it is always there. */
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
export function sourceProblem(
  target: NodeView,
  kind: PublishKind,
  from: readonly NodeView[],
): string | undefined {
  if (kind === 'sample-240p')
    return needsSender(target) && from.length === 0 ? 'No tester is there to send it.' : undefined;
  const can = target.can?.publish ?? ['whip'];
  return can.includes('whip') || can.includes('wcs')
    ? undefined
    : `This window publishes by WHIP, which ${target.name} does not take.`;
}
