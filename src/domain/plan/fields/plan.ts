import { expectationIds, defaultExpectations, sampleSource } from '../../model/plan';
import { formatExpectation } from '../expectationText';
import { longestName } from '../planNames';
import { delayField, expectKind, thresholdFields } from './expect';
import { jsonOf, rowsOf, type FieldRow, type ReadFields } from './fields';
import { hookFields, hooksKind, hooksWrite } from './hooks';
import { humanName, type JsonSchema } from './kind';
import { burstFields, networkFields, networkStepFields } from './network';
import { kubernetesFields } from './kubernetes';
import { nodesKind, originFields, testerFields } from './nodes';
import { roomsFields } from './rooms';
import { publishFields, publishKind } from './publish';
import { pullFields, pullsKind } from './pull';
import { scheduleFields, scheduleKind } from './schedule';
import { searchFields } from './search';
import { stageFields, stageHelp, stageKinds } from './stages';
import { stopsKind } from './stops';
import { turnFields } from './turn';

const defaults = expectationIds.map((id) => `\`${id}: "${formatExpectation(id, defaultExpectations[id])}"\``);

/** The fields of a plan's first level, in the order of a written plan. */
export const planFields = {
  name: {
    key: 'name',
    kind: humanName(longestName, 'A plan name'),
    help: 'Its name, and that of its runs',
    write: 'Give the plan a name.',
    missing: 'Give the plan a name, e.g. "name: Pull 1000 on the local lab".',
  },
  nodes: {
    key: 'nodes',
    kind: nodesKind,
    help: 'The servers under test and the testers, under names of your choice; see [Nodes](plans.md#nodes)',
    missing: 'Name the origin and at least one tester.',
  },
  publish: {
    key: 'publish',
    kind: publishKind,
    help: 'The streams that are published',
    write: `Write it like [{ stream: cam, node: origin, source: ${sampleSource} }].`,
    isOptional: true,
    absent: 'nothing is published',
  },
  pull: {
    key: 'pull',
    kind: pullsKind,
    help: 'The audience, or several that start at the same time',
    write: 'Define the stream, the origin, the testers and the viewers.',
    isOptional: true,
    absent: 'the load is the publishers of `publish`; see [Publishers alone](plans.md#publishers-alone)',
  },
  expect: {
    key: 'expect',
    kind: expectKind,
    help:
      'What the verdict expects; see [The verdict](plans.md#the-verdict). `off` disables one. Without `if measured` the ' +
      'figure must be measured, or the run is inconclusive; without `unless reconnect` too long an outage fails viewers ' +
      'that reconnect too',
    isOptional: true,
    absent: `each separately: ${defaults.join(', ')}`,
  },
  stop: {
    key: 'stop',
    kind: stopsKind,
    help: 'Conditions that stop the run early',
    write: 'Write it like ["degraded > 20% for 30s"].',
    isOptional: true,
    absent: 'none',
  },
  schedule: {
    key: 'schedule',
    kind: scheduleKind,
    help: 'When it starts and how often',
    isOptional: true,
    absent: 'at once, once',
  },
  hooks: {
    key: 'hooks',
    kind: hooksKind,
    help: 'Programs and URLs to call',
    write: hooksWrite,
    isOptional: true,
    absent: 'none',
  },
} as const satisfies ReadFields;

/** The JSON Schema of a plan in YAML, for editors: `fullhouse schema`. */
export const planJsonSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Fullhouse plan',
  ...jsonOf(planFields),
};

const row = ({ path, values, default: usual, help }: FieldRow): string =>
  `| \`${path}\` | ${values} | ${usual} | ${help} |`;
const table = (rows: readonly FieldRow[]): string =>
  ['| field | values | default | meaning |', '| --- | --- | --- | --- |', ...rows.map(row)].join('\n');

const { tester, hosts, inventory, atLeast, weights } = testerFields;
const nodeRows = [
  ...rowsOf('nodes.NAME', originFields),
  ...rowsOf('nodes.NAME', { tester, hosts, inventory, atLeast, weights, ...kubernetesFields }),
];

/** docs/plan-fields.md. */
export const planFieldsPage = (): string =>
  [
    '# Fields of a plan',
    'Generated from `src/domain/plan/fields`, as are the reader, the writer, the form and `fullhouse schema`. How plans\nwork: [plans.md](plans.md).',
    '## Plan',
    table(rowsOf('', planFields)),
    '## Publish and pull',
    table([...rowsOf('publish', publishFields), ...rowsOf('pull', pullFields)]),
    '## Rooms',
    table(rowsOf('pull.rooms', roomsFields)),
    '## Network',
    table([...rowsOf('pull.network', networkFields), ...rowsOf('pull.network.burst', burstFields)]),
    'A step has the fields above besides `sharedBy` and `steps`, and:',
    table(rowsOf('pull.network.steps', { atMs: networkStepFields.atMs })),
    '## TURN',
    table(rowsOf('pull.turn', turnFields)),
    '## Limit search',
    table(rowsOf('pull.search', searchFields)),
    '`publish.search` has the same fields, and counts publishers.',
    '## Stages',
    ...stageKinds.flatMap((kind) => [`### \`${kind}\`: ${stageHelp[kind]}`, table(rowsOf('', stageFields[kind]))]),
    '## Expectations of a series',
    table(rowsOf('expect.SERIES', thresholdFields('cpuPercent'))),
    '## Expectations of the delay',
    table(rowsOf('expect', { delay: delayField })),
    '## Schedule and hooks',
    table([...rowsOf('schedule', scheduleFields), ...rowsOf('hooks', hookFields)]),
    '## Nodes',
    table(nodeRows),
  ].join('\n\n') + '\n';
