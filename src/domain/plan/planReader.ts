import type { Plan, PlanPublish } from './plan';
import { readHooks, readSchedule, readStop } from './planConduct';
import { readExpect } from './planExpectReader';
import type { PlanField } from './planField';
import { nodeName, streamName } from './planNames';
import { readPulls } from './planPullReader';
import { readNodes } from './nodeReader';

/** Reads each field of a plan by itself; `fields` are those of the top level. Throws a `PlanError` at the first that is wrong. */
export function readPlan(root: PlanField): { plan: Plan; fields: ReadonlyMap<string, PlanField> } {
  const fields = root.map(['name', 'nodes', 'publish', 'pull', 'expect', 'stop', 'schedule', 'hooks']);
  const name = readName(
    root.required(fields, 'name', 'Give the plan a name, e.g. "name: Pull 1000 on the local lab".'),
  );
  const nodes = readNodes(root.required(fields, 'nodes', 'Name the origin and at least one tester.'));
  const publish = readPublish(fields.get('publish'));
  const pulls = readPulls(
    root.required(fields, 'pull', 'Say which stream to pull, from where, by whom and how often.'),
  );
  const expected = readExpect(fields.get('expect'));
  const stopWhen = readStop(fields.get('stop'));
  const schedule = readSchedule(fields.get('schedule'));
  const hooks = readHooks(fields.get('hooks'));
  const plan: Plan = {
    name,
    nodes,
    publish,
    ...pulls,
    ...expected,
    ...(stopWhen.length > 0 ? { stopWhen } : {}),
    ...(schedule ? { schedule } : {}),
    ...(hooks.length > 0 ? { hooks } : {}),
  };
  return { plan, fields };
}

function readName(field: PlanField): string {
  const name = field.text('Give the plan a name.').trim();
  if (name.length === 0 || name.length > 120) field.fail('A name has 1 to 120 characters.');
  return name;
}

function readPublish(field: PlanField | undefined): PlanPublish[] {
  if (!field) return [];
  return field.list('Write it like [{ stream: cam, node: origin, source: sample-240p }].').map((item) => {
    const fields = item.map(['stream', 'node', 'source', 'by']);
    const by = fields.get('by');
    return {
      stream: streamName(item.required(fields, 'stream', 'Name the stream.'), 'Name the stream.'),
      node: nodeName(
        item.required(fields, 'node', 'Name the origin that gets the stream.'),
        'Name the origin.',
      ),
      source: item
        .required(fields, 'source', 'Write sample-240p, or external when somebody else publishes.')
        .oneOf(['sample-240p', 'external'], 'Say what is published.'),
      ...(by ? { by: nodeName(by, 'Name the tester that publishes it.') } : {}),
    };
  });
}
