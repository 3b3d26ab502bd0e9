import { expectJson, thresholdFields } from './expect';
import { defaultExpectations } from '../../model/plan';
import { expectationIds, formatExpectation } from '../expectationText';
import { plainText, rowsOf, type FieldRow } from './fields';
import { hookFields, hooksKind } from './hooks';
import type { JsonSchema } from './kind';
import { nodesJson, originFields, testerFields } from './nodes';
import { publishFields, publishKind } from './publish';
import { pullFields, pullsJson } from './pull';
import { scheduleFields, scheduleKind } from './schedule';
import { searchFields } from './search';
import { stageFields, stageHelp, stageKinds } from './stages';
import { stopsKind } from './stops';

/** The fields of a plan's first level, in the order of a written plan. */
export const planHelp = {
  name: { help: '1 to 120 characters', absent: 'required' },
  nodes: {
    help: 'The servers under test and the testers, under names of your choice; see [Nodes](plans.md#nodes)',
    absent: 'required',
  },
  publish: { help: 'The streams that are published, a list', absent: 'nothing is published' },
  pull: { help: 'The audience, or a list of max 21 that start at the same time', absent: 'required' },
  expect: {
    help:
      'What the verdict expects; see [The verdict](plans.md#the-verdict). `off` disables one. Without `if measured` the ' +
      'figure must be measured, or the run is inconclusive',
    absent: `each separately: ${expectationIds.map((id) => `\`${id}: "${formatExpectation(id, defaultExpectations[id])}"\``).join(', ')}`,
  },
  stop: { help: 'Conditions that stop the run early, max 20', absent: 'none' },
  schedule: { help: 'When it starts and how often', absent: 'at once, once' },
  hooks: { help: 'Programs and URLs to call, max 20', absent: 'none' },
} as const;

const withHelp = (key: keyof typeof planHelp, json: JsonSchema): JsonSchema => ({
  description: plainText(planHelp[key].help),
  ...json,
});

/** The JSON Schema of a plan in YAML, for editors: `fullhouse schema`. */
export const planJsonSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Fullhouse plan',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'nodes', 'pull'],
  properties: {
    name: withHelp('name', { type: 'string', minLength: 1, maxLength: 120 }),
    nodes: withHelp('nodes', nodesJson),
    publish: withHelp('publish', publishKind.json),
    pull: withHelp('pull', pullsJson),
    expect: withHelp('expect', expectJson),
    stop: withHelp('stop', stopsKind.json),
    schedule: withHelp('schedule', scheduleKind.json),
    hooks: withHelp('hooks', hooksKind.json),
  },
};

const row = ({ path, values, default: usual, help }: FieldRow): string =>
  `| \`${path}\` | ${values} | ${usual} | ${help} |`;
const table = (rows: readonly FieldRow[]): string =>
  ['| field | values | default | meaning |', '| --- | --- | --- | --- |', ...rows.map(row)].join('\n');

const planTable = [
  '| field | default | meaning |',
  '| --- | --- | --- |',
  ...Object.entries(planHelp).map(([key, { help, absent }]) => `| \`${key}\` | ${absent} | ${help} |`),
].join('\n');

/** docs/plan-fields.md. */
export function planFieldsPage(): string {
  const stages = stageKinds.map(
    (kind) => `### \`${kind}\`: ${stageHelp[kind]}\n\n${table(rowsOf('', stageFields[kind]))}`,
  );
  const nodes = [...rowsOf('', originFields), ...rowsOf('', { tester: testerFields.tester })];
  const about =
    'Generated from `src/domain/plan/fields`, as are the reader, the writer, the form and `fullhouse schema`. How plans\nwork: [plans.md](plans.md).';
  return `# Fields of a plan

${about}`.concat(
    `\n\n## Plan\n\n${planTable}`,
    `\n\n## Publish and pull\n\n${table([...rowsOf('publish', publishFields), ...rowsOf('pull', pullFields)])}`,
    `\n\n## Limit search\n\n${table(rowsOf('pull.search', searchFields))}`,
    `\n\n## Stages\n\n${stages.join('\n\n')}`,
    `\n\n## Expectations of a series\n\n${table(rowsOf('expect.SERIES', thresholdFields('cpuPercent')))}`,
    `\n\n## Schedule and hooks\n\n${table([...rowsOf('schedule', scheduleFields), ...rowsOf('hooks', hookFields)])}`,
    `\n\n## Nodes\n\n${table(nodes.map((each) => ({ ...each, path: `nodes.NAME.${each.path}`, default: each.default || 'none' })))}\n`,
  );
}
