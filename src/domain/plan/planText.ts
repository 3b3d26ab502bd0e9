import type { NodeSettings } from '../nodeSettings';
import type { Plan } from './plan';
import { conductLines, expectLines } from './planConductText';
import { pullLines } from './planPullText';
import { audiencesOf } from '../shares';
import { flow, scalar } from './yamlWords';

/** A plan as text; `parsePlan` gives the same plan back. */
export function planToYaml(plan: Plan): string {
  const published = plan.publish.map(({ stream, node, source, by }) =>
    flow({ stream: scalar(stream), node: scalar(node), source, ...(by ? { by: scalar(by) } : {}) }),
  );
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

/** The nodes of a plan, or a fleet, in its own lines. */
export function nodesToYaml(nodes: Readonly<Record<string, NodeSettings>>): string {
  return [...nodeLines(nodes), ''].join('\n');
}

function nodeLines(nodes: Readonly<Record<string, NodeSettings>>): string[] {
  const lines = Object.entries(nodes).map(([name, node]) => `  ${scalar(name)}: ${flow(nodeFields(node))}`);
  return lines.length > 0 ? ['nodes:', ...lines] : ['nodes: {}'];
}

function nodeFields(node: NodeSettings): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(node) as [string, NodeSettings[keyof NodeSettings] | object][]) {
    if (typeof value === 'string') fields[key] = scalar(value);
    else if (typeof value === 'boolean') fields[key] = String(value);
    else if (value !== undefined)
      fields[key] = flow(
        Object.fromEntries(
          Object.entries(value as Record<string, string>).map(([series, query]) => [
            series,
            JSON.stringify(query),
          ]),
        ),
      );
  }
  return fields;
}

function publishLines(published: readonly string[]): string[] {
  if (published.length === 0) return [];
  if (published.length === 1) return [`publish: [${published.join('')}]`];
  return ['publish:', ...published.map((each) => `  - ${each}`)];
}

/** What a plan's file would be called, e.g. `pull-1000-on-the-local-lab.yaml`. */
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
 * The command that runs the plan as it is, with no file: the plan follows as a here-document of a POSIX shell, quoted, so that the
 * shell expands nothing in it.
 */
export function planToShellCommand(plan: Plan): string {
  const yaml = planToYaml(plan);
  const lines = new Set(yaml.split('\n'));
  let end = 'PLAN';
  while (lines.has(end)) end += '_';
  return `npx fullhouse run - <<'${end}'\n${yaml}${end}\n`;
}

/** The command that runs the plan from its file, quoted for a POSIX shell where it must be. */
export function planToCommandLine(plan: Plan, file: string = planFileName(plan)): string {
  const quoted = /^[A-Za-z0-9_./+-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
  return `npx fullhouse run ${quoted}`;
}
