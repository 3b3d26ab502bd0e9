import type { Plan } from '../model/plan';
import { readExpect } from './fields/expect';
import { hooksKind, hooksWrite } from './fields/hooks';
import { readNodes } from './fields/nodes';
import { planHelp } from './fields/plan';
import { publishKind, publishWrite } from './fields/publish';
import { readPulls } from './fields/pull';
import { scheduleKind } from './fields/schedule';
import { stopsKind, stopsWrite } from './fields/stops';
import type { PlanField } from './planField';

/** Reads each field of a plan; `fields` are those of the top level. Throws a `PlanError` at the first fault. */
export function readPlan(root: PlanField): { plan: Plan; fields: ReadonlyMap<string, PlanField> } {
  const fields = root.map(Object.keys(planHelp));
  const name = readName(
    root.required(fields, 'name', 'Give the plan a name, e.g. "name: Pull 1000 on the local lab".'),
  );
  const nodes = readNodes(root.required(fields, 'nodes', 'Name the origin and at least one tester.'));
  const [published, stop, schedule, hooks] = ['publish', 'stop', 'schedule', 'hooks'].map((key) => fields.get(key));
  const publish = published ? publishKind.read(published, publishWrite) : [];
  const pulls = readPulls(root.required(fields, 'pull', 'Define the stream, the origin, the testers and the viewers.'));
  const expected = readExpect(fields.get('expect'));
  const stopWhen = stop ? stopsKind.read(stop, stopsWrite) : [];
  const scheduled = schedule && scheduleKind.read(schedule, '');
  const called = hooks ? hooksKind.read(hooks, hooksWrite) : [];
  const plan: Plan = {
    name,
    nodes,
    publish,
    ...pulls,
    ...expected,
    ...(stopWhen.length > 0 ? { stopWhen } : {}),
    ...(scheduled ? { schedule: scheduled } : {}),
    ...(called.length > 0 ? { hooks: called } : {}),
  };
  return { plan, fields };
}

function readName(field: PlanField): string {
  const name = field.text('Give the plan a name.').trim();
  if (name.length === 0 || name.length > 120) field.fail('A name has 1 to 120 characters.');
  return name;
}
