import type { Plan, PlanNode, PlanPull } from './plan';
import { suggestion, type PlanField } from './planField';
import { seriesDefinition, type SeriesId } from '../series';
import { audiencesOf } from '../shares';
import { roleOfName } from '../watched';

type Role = 'origin' | 'tester';

/** Names must fit: an origin serves, a tester pulls. Throws a `PlanError`; `fields` are those that the plan was read from. */
export function checkReferences(plan: Plan, fields: ReadonlyMap<string, PlanField>): void {
  const check = checkOf(plan);
  const pulls = fieldsOf(fields.get('pull'));
  audiencesOf(plan).forEach((pull, place) => checkPull(pull, pulls[place], check));
  const published = fields.get('publish')?.list('') ?? [];
  plan.publish.forEach(({ node, stream, by }, i) => {
    check(published[i]?.map().get('node'), node, 'origin');
    if (by !== undefined) check(published[i]?.map().get('by'), by, 'tester');
    const first = plan.publish.findIndex((other) => other.node === node && other.stream === stream);
    if (first !== i) published[i]?.fail(`"${stream}" is published on "${node}" twice. Remove one of them.`);
  });
  const expected = fields.get('expect')?.map();
  for (const series of new Set(plan.thresholds?.map((each) => each.series)))
    for (const field of fieldsOf(expected?.get(series))) {
      const node = field.isMap ? field.map().get('node') : undefined;
      if (node) check(node, node.text(''));
    }
  const stops = fields.get('stop')?.list('') ?? [];
  plan.stopWhen?.forEach(({ node }, i) => node !== undefined && check(stops[i], node));
}

/** One of something, or a list of several. */
function fieldsOf(field: PlanField | undefined): readonly PlanField[] {
  if (!field) return [];
  return field.isList ? field.list('') : [field];
}

type Check = (field: PlanField | undefined, name: string, role?: Role) => void;

function checkOf({ nodes }: Plan): Check {
  const origins = Object.keys(nodes).filter((name) => isOrigin(nodes[name]));
  const testers = Object.keys(nodes).filter((name) => !isOrigin(nodes[name]));
  return (field, name, role) => {
    const fitting = role === 'origin' ? origins : role === 'tester' ? testers : Object.keys(nodes);
    if (fitting.includes(name)) return;
    if (role && Object.hasOwn(nodes, name))
      field?.fail(
        `"${name}" is ${role === 'origin' ? 'a tester' : 'an origin'}; here ${role === 'origin' ? 'an origin' : 'a tester'} is needed. ${listed(fitting, role)}`,
      );
    const instead = fitting.length > 0 || !role ? suggestion(name, fitting) : listed([], role);
    field?.fail(`There is no node "${name}" in this plan. ${instead}`);
  };
}

function checkPull({ from, by }: PlanPull, field: PlanField | undefined, check: Check): void {
  const pull = field?.map();
  check(pull?.get('from'), from, 'origin');
  const byFields = (pull?.get('by')?.list('') ?? []).map((each) =>
    each.isMap ? each.map().get('tester') : each,
  );
  by.forEach((name, i) => {
    check(byFields[i], name, 'tester');
    if (by.indexOf(name) !== i) byFields[i]?.fail(`"${name}" is named twice. Remove one of them.`);
  });
}

function isOrigin(node: PlanNode | undefined): boolean {
  return node !== undefined && 'server' in node;
}

function listed(names: readonly string[], role: Role): string {
  if (names.length > 0) return `There is: ${names.join(', ')}.`;
  const example = role === 'origin' ? 'origin: { server: lab }' : 'audience: { tester: local }';
  return `Add one to "nodes", e.g. "${example}".`;
}

/** What is allowed and yet looks like a mistake. `nowMs` (Unix ms) is what a schedule is held against; without it nothing is in the past. */
export function warningsOf(plan: Plan, nowMs?: number): string[] {
  return [
    ...Object.keys(plan.nodes)
      .filter((name) => roleOfName(plan, name) === 'watched')
      .map((name) => `The node "${name}" is only watched: this plan neither pulls from it nor by it.`),
    ...audiencesOf(plan).flatMap((pull) => warningsOfPull(plan, pull)),
    ...measuredElsewhere(plan),
    ...scheduleWarnings(plan, nowMs),
  ];
}

function warningsOfPull({ publish }: Plan, { from, stream, by, viewers, stages = [] }: PlanPull): string[] {
  const streams = publish.filter(({ node }) => node === from).map((each) => each.stream);
  const warnings: string[] = [];
  if (!streams.includes(stream))
    warnings.push(
      `Nobody publishes "${stream}" on "${from}" in this plan, so it must be there already.` +
        (streams.length > 0 ? ` ${suggestion(stream, streams)}` : ''),
    );
  if (by.length > viewers)
    warnings.push(`${by.length} testers share ${viewers} viewers, so some of them have none.`);
  let level = 0;
  for (const stage of stages) {
    if (stage.kind === 'step' && stage.by > Math.abs(stage.viewers - level))
      warnings.push(
        `A step by ${stage.by} from ${level} to ${stage.viewers} viewers is a single one and smaller than that.`,
      );
    if (stage.kind === 'ramp' || stage.kind === 'step') level = stage.viewers;
  }
  return warnings;
}

/** What viewers measure is known of testers, and what a server counts of origins. */
function measuredElsewhere({ nodes, thresholds = [], stopWhen = [] }: Plan): string[] {
  const named = [
    ...thresholds.map(({ series, node }) => ({ series, node })),
    ...stopWhen.flatMap(({ what, node }) => (isPlain(what) ? [] : [{ series: what, node }])),
  ];
  return named.flatMap(({ series, node }) => {
    const source = seriesDefinition(series)?.source;
    if (node === undefined || (source !== 'audience' && source !== 'origin')) return [];
    const fits = isOrigin(nodes[node]) === (source === 'origin');
    const who = source === 'origin' ? 'an origin' : 'a tester';
    return fits
      ? []
      : [`${series} is measured by ${who}, and "${node}" is none, so it will be missing there.`];
  });
}

function isPlain(what: SeriesId | 'degraded' | 'failed' | 'cpu'): what is 'degraded' | 'failed' | 'cpu' {
  return what === 'degraded' || what === 'failed' || what === 'cpu';
}

function scheduleWarnings({ schedule, pull, also = [] }: Plan, nowMs: number | undefined): string[] {
  if (!schedule) return [];
  const { atMs, repeat = 1, everyMs } = schedule;
  const warnings: string[] = [];
  if (atMs !== undefined && nowMs !== undefined && atMs < nowMs)
    warnings.push(
      `The schedule's beginning, ${new Date(atMs).toISOString()}, is in the past: it begins at once.`,
    );
  if (everyMs !== undefined && repeat === 1)
    warnings.push('The schedule says how often, and not how many times: there is one run. Add "repeat".');
  if (repeat > 1 && [pull, ...also].some(({ holdMs }) => holdMs === 0))
    warnings.push('A run that lasts until somebody stops it repeats itself only after that.');
  return warnings;
}
