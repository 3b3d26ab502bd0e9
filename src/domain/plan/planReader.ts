import { defaultExpectations, type Plan } from '../model/plan';
import { mapOf, readFields } from './fields/fields';
import { planFields } from './fields/plan';
import type { PlanField } from './planField';

/** Reads each field of a plan; `fields` are those of the top level. Throws a `PlanError` at the first fault. */
export function readPlan(root: PlanField): { plan: Plan; fields: ReadonlyMap<string, PlanField> } {
  const fields = mapOf(root, planFields);
  const { name, nodes, publish = [], pull, expect, ...more } = readFields(root, fields, planFields, '');
  const { stop = [], schedule, hooks = [] } = more;
  const plan: Plan = {
    name,
    nodes,
    publish,
    ...pull,
    ...(expect ?? { expect: defaultExpectations }),
    ...(stop.length > 0 ? { stopWhen: stop } : {}),
    ...(schedule ? { schedule } : {}),
    ...(hooks.length > 0 ? { hooks } : {}),
  };
  return { plan, fields };
}
