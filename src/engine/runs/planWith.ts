import { audiencesOf } from '../../domain/model/distribution';
import type { Plan, PlanPublish } from '../../domain/model/plan';

/**
 * A run's plan with the pull of another plan that was added during the run, so that the run's plan contains all of it.
 */
export function planWith(plan: Plan, added: Plan): Plan {
  const isNew = ({ node, stream }: PlanPublish): boolean =>
    !plan.publish.some((before) => before.node === node && before.stream === stream);
  return {
    ...plan,
    nodes: { ...plan.nodes, ...added.nodes },
    publish: [...plan.publish, ...added.publish.filter(isNew)],
    also: [...(plan.also ?? []), ...audiencesOf(added)],
  };
}
