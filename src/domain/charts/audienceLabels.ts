import { isTesterOf } from '../model/audience';
import { audiencesOf } from '../model/distribution';
import type { NodeView } from '../model/node';
import type { Plan } from '../model/plan';

/** The nodes as legends name them: a tester of labelled audiences has their labels after its name. */
export function withAudienceLabels(nodes: readonly NodeView[], plan: Plan | undefined): readonly NodeView[] {
  const audiences = plan ? audiencesOf(plan).filter(({ label }) => label !== undefined) : [];
  if (audiences.length === 0) return nodes;
  return nodes.map((node) => {
    const labels = audiences.flatMap((pull) => (isTesterOf(pull, node) ? [pull.label ?? ''] : []));
    return labels.length > 0 ? { ...node, name: `${node.name} (${labels.join(', ')})` } : node;
  });
}
