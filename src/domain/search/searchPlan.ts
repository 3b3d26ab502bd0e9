import type { NodeView } from '../model/node';
import type { Plan, Audience } from '../model/plan';
import { largestWithin } from '../model/distribution';
import { withDerived } from '../stages/derived';
import { searchOf } from '../plan/fields/search';
import { reportedViewers } from '../tester/viewerLimit';
import { longestName } from '../plan/planNames';

/** If the capacity of the testers is unknown, a search goes up to this multiple of the plan's audience. */
const unknownTestersFactor = 4;
/** The first size as a share of the plan's audience: small enough to hold almost always, and a few doublings away. */
const firstShare = 1 / 16;
const minFirst = 10;

/** Maximum viewers of the pull's testers in its split; undefined if no capacity is known. */
function capacityOf(pull: Audience, nodes: readonly NodeView[]): number | undefined {
  const limits = pull.by.flatMap((tester) => {
    const node = nodes.find(({ id, name }) => name === tester || id === tester);
    const limit = node && reportedViewers(node, pull.protocol);
    return limit ? [largestWithin(limit, tester, pull)] : [];
  });
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/**
 * A plan whose first audience searches for the limit: from a small share of its size up to the capacity of
 * the testers. Other audiences are unchanged. Stop conditions are removed, since they would end the search at the
 * break. A plan with a search, or without an audience, is unchanged.
 */
export function searchPlan(plan: Plan, nodes: readonly NodeView[]): Plan {
  if (!plan.pull || plan.pull.search) return plan;
  const { stages: _, ...pull } = plan.pull;
  const maxViewers = Math.max(2, capacityOf(pull, nodes) ?? pull.viewers * unknownTestersFactor);
  const fromViewers = Math.min(Math.max(minFirst, Math.round(pull.viewers * firstShare)), maxViewers - 1);
  const search = searchOf({ fromViewers, maxViewers });
  const { stopWhen: __, ...rest } = plan;
  return { ...rest, name: nameOf(plan.name), pull: withDerived({ ...pull, search }) };
}

const mark = ', limit';
function nameOf(name: string): string {
  return name.endsWith(mark) ? name : `${name.slice(0, longestName - mark.length)}${mark}`;
}
