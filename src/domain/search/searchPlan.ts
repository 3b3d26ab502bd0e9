import type { NodeView } from '../node';
import type { Plan, PlanPull, PlanSearch } from '../plan/plan';
import { mostWithin } from '../shares';
import { withDerived } from '../stages/derived';
import { usualSearch } from '../stages/stageReader';

/** Where nobody says what the testers can play, a search looks at so many times the plan's own audience. */
const unknownTestersFactor = 4;
/** The first audience is this part of the plan's own: small enough to hold nearly always, and a few doublings away. */
const firstShare = 1 / 16;
const leastFirst = 10;

/** The most viewers that the pull's testers can play together in its split; undefined where none of them says what it can. */
function roomOf(pull: PlanPull, nodes: readonly NodeView[]): number | undefined {
  const limits = pull.by.flatMap((tester) => {
    const node = nodes.find(({ id, name }) => name === tester || id === tester);
    return node?.viewerLimit ? [mostWithin(node.viewerLimit, tester, pull)] : [];
  });
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/**
 * The same plan, but its first audience looks for the limit: from a small part of its own size up to what the testers can play. Other audiences
 * stay as they are; a stop condition would end the search at the break that it looks for, so there is none. A plan that searches stays as it is.
 */
export function searchPlan(plan: Plan, nodes: readonly NodeView[]): Plan {
  if (plan.pull.search) return plan;
  const { stages: _, ...pull } = plan.pull;
  const mostViewers = Math.max(2, roomOf(pull, nodes) ?? pull.viewers * unknownTestersFactor);
  const fromViewers = Math.min(Math.max(leastFirst, Math.round(pull.viewers * firstShare)), mostViewers - 1);
  const search: PlanSearch = { ...usualSearch, fromViewers, mostViewers };
  const { stopWhen: __, ...rest } = plan;
  return { ...rest, name: nameOf(plan.name), pull: withDerived({ ...pull, search }) };
}

const mark = ', limit';
function nameOf(name: string): string {
  return name.endsWith(mark) ? name : `${name.slice(0, 120 - mark.length)}${mark}`;
}
