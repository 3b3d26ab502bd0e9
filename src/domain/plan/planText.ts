import type { NodeSettings } from '../model/nodeSettings';
import type { Audience, Plan } from '../model/plan';
import { writeExpect } from './fields/expect';
import { writeFields } from './fields/fields';
import { hooksKind } from './fields/hooks';
import { writeNode } from './fields/nodes';
import { publishFields } from './fields/publish';
import { pullFields } from './fields/pull';
import { scheduleKind } from './fields/schedule';
import { writeStage } from './fields/stages';
import { stopsKind } from './fields/stops';
import { audiencesOf } from '../model/distribution';
import { block, flow, scalar } from './yamlText';

/** A plan as text; `parsePlan` returns the same plan. */
export function planToYaml(plan: Plan): string {
  const published = plan.publish.map((publication) => flow(writeFields(publishFields, publication)));
  return [
    `name: ${scalar(plan.name)}`,
    ...nodeLines(plan.nodes),
    ...publishLines(published),
    ...pullLines(audiencesOf(plan)),
    ...expectLines(plan),
    ...conductLines(plan),
    '',
  ].join('\n');
}

/** The nodes of a plan, or a fleet, as lines. */
export function nodesToYaml(nodes: Readonly<Record<string, NodeSettings>>): string {
  return [...nodeLines(nodes), ''].join('\n');
}

function nodeLines(nodes: Readonly<Record<string, NodeSettings>>): string[] {
  const lines = Object.entries(nodes).map(([name, node]) => `  ${scalar(name)}: ${writeNode(node)}`);
  return lines.length > 0 ? ['nodes:', ...lines] : ['nodes: {}'];
}

/** One field per line if it has any of series. */
function expectLines(plan: Plan): string[] {
  const fields = writeExpect(plan);
  return plan.thresholds?.length ? ['expect:', ...block(fields, '  ')] : [`expect: ${flow(fields)}`];
}

/** Stop conditions, schedule and hooks; one line each, and none for absent ones. */
function conductLines({ stopWhen = [], schedule, hooks = [] }: Plan): string[] {
  return [
    ...(stopWhen.length > 0 ? [`stop: ${stopsKind.write(stopWhen)}`] : []),
    ...(schedule && Object.keys(schedule).length > 0 ? [`schedule: ${scheduleKind.write(schedule)}`] : []),
    ...(hooks.length > 0 ? [`hooks: ${hooksKind.write(hooks)}`] : []),
  ];
}

function publishLines(published: readonly string[]): string[] {
  if (published.length === 0) return [];
  if (published.length === 1) return [`publish: [${published.join('')}]`];
  return ['publish:', ...published.map((line) => `  - ${line}`)];
}

/** The file name of a plan, e.g. `pull-1000-on-the-local-lab.yaml`. */
export function planFileName(plan: Plan): string {
  const slug = plan.name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `${slug || 'plan'}.yaml`;
}

/**
 * The command that runs the plan without a file: the plan follows as a here-document of a POSIX shell, quoted, so that
 * the shell expands nothing in it.
 */
export function planToShellCommand(plan: Plan): string {
  const yaml = planToYaml(plan);
  const lines = new Set(yaml.split('\n'));
  let end = 'PLAN';
  while (lines.has(end)) end += '_';
  return `npx --no-install fullhouse run - <<'${end}'\n${yaml}${end}\n`;
}

/** The command that runs the plan from its file, quoted for a POSIX shell if necessary. */
export function planToCommandLine(plan: Plan, file: string = planFileName(plan)): string {
  const quoted = /^[A-Za-z0-9_./+-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
  return `npx --no-install fullhouse run ${quoted}`;
}

/** The lines of `pull`: one line for a plain ramp and hold; else one field a line. */
function pullLines(pulls: readonly Audience[]): string[] {
  const [only, ...others] = pulls;
  if (!only) return [];
  if (others.length > 0) return ['pull:', ...pulls.flatMap((pull) => linesOf(pull, '  - '))];
  const isShort = !only.stages && !only.search;
  return isShort ? [`pull: ${flow(fieldsOf(only))}`] : ['pull:', ...linesOf(only, '  ')];
}

function linesOf(pull: Audience, lead: string): string[] {
  if (!pull.stages && !pull.search) return [`${lead}${flow(fieldsOf(pull))}`];
  const fields = fieldsOf(pull);
  return block({ ...fields, ...(pull.stages ? { stages: pull.stages.map(writeStage) } : {}) }, lead);
}

/** Without those that stages or a search derive. */
function fieldsOf({ by, weights, viewers, ratePerSecond, holdMs, ...others }: Audience): Record<string, string> {
  const isDerived = others.stages !== undefined || others.search !== undefined;
  return writeFields(pullFields, {
    ...others,
    testers: { by, weights },
    ...(isDerived ? {} : { viewers, holdMs }),
    ...(others.stages ? {} : { ratePerSecond }),
  });
}
