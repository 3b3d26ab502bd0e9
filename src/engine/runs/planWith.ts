import type { Plan, PlanPublish } from '../../domain/plan/plan';

/** A run's plan with another one's pull added on the way, so that the run's own plan tells all that happened in it. */
export function planWith(plan: Plan, added: Plan): Plan {
  const isNew = ({ node, stream }: PlanPublish): boolean =>
    !plan.publish.some((before) => before.node === node && before.stream === stream);
  return {
    ...plan,
    nodes: { ...plan.nodes, ...added.nodes },
    publish: [...plan.publish, ...added.publish.filter(isNew)],
    also: [...(plan.also ?? []), added.pull, ...(added.also ?? [])],
  };
}
