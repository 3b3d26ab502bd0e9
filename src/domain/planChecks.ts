import type { Plan, PlanNode } from './plan';
import { suggestion, type PlanField } from './planField';
import { busyNames } from './watched';

/** Names must fit: an origin serves, a tester pulls. Throws a `PlanError`; `fields` are those that the plan was read from. */
export function checkReferences(plan: Plan, fields: ReadonlyMap<string, PlanField>): void {
  const origins = Object.keys(plan.nodes).filter((name) => isOrigin(plan.nodes[name]));
  const testers = Object.keys(plan.nodes).filter((name) => !isOrigin(plan.nodes[name]));
  const pull = fields.get('pull')?.map();
  const check = (field: PlanField | undefined, name: string, role: 'origin' | 'tester'): void => {
    const fitting = role === 'origin' ? origins : testers;
    if (fitting.includes(name)) return;
    const other = role === 'origin' ? 'a tester' : 'an origin';
    if (Object.hasOwn(plan.nodes, name))
      field?.fail(
        `"${name}" is ${other}; here ${role === 'origin' ? 'an origin' : 'a tester'} is needed. ${listed(fitting, role)}`,
      );
    field?.fail(
      `There is no node "${name}" in this plan. ${fitting.length > 0 ? suggestion(name, fitting) : listed([], role)}`,
    );
  };
  check(pull?.get('from'), plan.pull.from, 'origin');
  const byFields = pull?.get('by')?.list('') ?? [];
  plan.pull.by.forEach((name, i) => {
    check(byFields[i], name, 'tester');
    if (plan.pull.by.indexOf(name) !== i) byFields[i]?.fail(`"${name}" is named twice. Remove one of them.`);
  });
  const published = fields.get('publish')?.list('') ?? [];
  plan.publish.forEach(({ node, stream }, i) => {
    check(published[i]?.map().get('node'), node, 'origin');
    const { by } = plan.publish[i] ?? {};
    if (by !== undefined) check(published[i]?.map().get('by'), by, 'tester');
    const first = plan.publish.findIndex((other) => other.node === node && other.stream === stream);
    if (first !== i) published[i]?.fail(`"${stream}" is published on "${node}" twice. Remove one of them.`);
  });
}

function isOrigin(node: PlanNode | undefined): boolean {
  return node !== undefined && 'server' in node;
}

function listed(names: readonly string[], role: 'origin' | 'tester'): string {
  if (names.length > 0) return `There is: ${names.join(', ')}.`;
  const example = role === 'origin' ? 'origin: { server: lab }' : 'audience: { tester: local }';
  return `Add one to "nodes", e.g. "${example}".`;
}

/** What is allowed and yet looks like a mistake. */
export function warningsOf(plan: Plan): string[] {
  const { pull, publish } = plan;
  const streams = publish.filter(({ node }) => node === pull.from).map(({ stream }) => stream);
  const used = busyNames(plan);
  const warnings = Object.keys(plan.nodes)
    .filter((name) => !used.has(name))
    .map((name) => `The node "${name}" is only watched: this plan neither pulls from it nor by it.`);
  if (!streams.includes(pull.stream))
    warnings.push(
      `Nobody publishes "${pull.stream}" on "${pull.from}" in this plan, so it must be there already.` +
        (streams.length > 0 ? ` ${suggestion(pull.stream, streams)}` : ''),
    );
  if (pull.by.length > pull.viewers)
    warnings.push(`${pull.by.length} testers share ${pull.viewers} viewers, so some of them have none.`);
  return warnings;
}
