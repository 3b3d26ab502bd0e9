import type { PlanStage } from '../../model/audienceValues';
import { flow } from '../yamlText';
import type { PlanField } from '../planField';
import { stageFault } from '../stageFaults';
import { examplesOf, jsonOf, mapOf, readFields, writeFields, type FieldsOf } from './fields';
import { duration, level, percent, rate, viewers, type Kind } from './kind';

type StageKind = PlanStage['kind'];
export type StageOf<K extends StageKind> = Omit<Extract<PlanStage, { kind: K }>, 'kind'>;

const maxStages = 100;

const to = {
  kind: level,
  label: 'to',
  help: 'Viewers at its end; a ramp may go down, to `0` too',
  example: 500,
};
const forLong = { kind: duration(), label: 'for', help: 'How long' };
const at = { key: 'rate', kind: rate, label: 'at', help: 'Arrival rate', example: 50 };

/** The fields of each kind of stage, in reading order; the first one has the kind's own name. */
export const stageFields: { readonly [K in StageKind]: FieldsOf<StageOf<K>> } = {
  ramp: {
    viewers: { ...to, key: 'ramp' },
    overMs: {
      key: 'over',
      kind: duration('The ramp needs a duration above 0.'),
      label: 'in',
      help: 'Duration of the ramp',
      example: 30_000,
    },
  },
  hold: { forMs: { ...forLong, key: 'hold', example: 60_000 } },
  step: {
    viewers: { ...to, key: 'step' },
    by: { key: 'by', kind: viewers, label: 'by', help: 'Viewers per step; the last one may be smaller', example: 100 },
    holdMs: { key: 'hold', kind: duration(), label: 'each', help: 'How long each level is held', example: 30_000 },
    ratePerSecond: at,
  },
  spike: {
    viewers: { ...to, key: 'spike', kind: viewers, help: 'Viewers at the peak', example: 800 },
    forMs: { ...forLong, key: 'for', help: 'How long the peak is held', example: 20_000 },
    ratePerSecond: { ...at, example: 200 },
  },
  soak: { forMs: { ...forLong, key: 'soak', example: 3_600_000 } },
  churn: {
    replacePercent: {
      key: 'churn',
      kind: percent({ max: 100 }),
      label: '',
      help: 'Share of the viewers that is replaced each time, at least one',
      example: 10,
    },
    everyMs: { key: 'every', kind: duration(), label: 'every', help: 'Interval of the replacements', example: 3000 },
    forMs: { ...forLong, key: 'for', example: 300_000 },
    ratePerSecond: at,
  },
};

export const stageKinds = Object.keys(stageFields) as readonly StageKind[];

/** What a stage of each kind does. */
export const stageHelp: Readonly<Record<StageKind, string>> = {
  ramp: 'linear change, up or down',
  hold: 'constant viewers',
  step: 'in steps, each level held',
  spike: 'sudden peak, then back',
  soak: 'long hold, shows growth',
  churn: 'viewers replaced at intervals',
};

/** The fields of a kind whose type is not known at compile time. */
export const fieldsOfStage = (kind: StageKind): FieldsOf<Readonly<Record<string, number>>> => ({
  ...stageFields[kind],
});

function exampleOf(kind: StageKind): string {
  const fields = fieldsOfStage(kind);
  return flow(writeFields(fields, examplesOf(fields)));
}

/** The order in which a kind is recognized: a step has a `hold` too. */
const recognized = [...stageKinds].sort((a, b) => Number(a === 'hold') - Number(b === 'hold'));

const readStage = (item: PlanField): PlanStage => {
  const all = item.map();
  const kind = recognized.find((each) => all.has(each));
  if (kind === undefined) {
    // Report a misspelt key by its name.
    mapOf(item, ...Object.values(stageFields));
    return item.fail(`A stage is one of ${recognized.join(', ')}, e.g. ${exampleOf('ramp')}.`);
  }
  const fields = fieldsOfStage(kind);
  const own = Object.values(fields).map(({ key }) => key);
  const other = recognized.find((each) => each !== kind && all.has(each) && !own.includes(each));
  if (other !== undefined) item.fail(`A stage is either a ${kind} or a ${other}. Split it into two.`);
  const values = readFields(item, mapOf(item, fields), fields, `Write it like ${exampleOf(kind)}.`);
  return stageOf(kind, values);
};

/** The stage of such values: those of the fields of its kind. */
export const stageOf = (kind: StageKind, values: Readonly<Record<string, number>>): PlanStage =>
  ({ kind, ...values }) as PlanStage;

/** The values of a stage by the names of its fields. */
export const valuesOf = ({ kind: _, ...values }: PlanStage): Readonly<Record<string, number>> => values;

/** The load profile of an audience. */
export const stagesKind: Kind<readonly PlanStage[]> = {
  read: (field) => {
    const write = `Write it like [${exampleOf('ramp')}, ${exampleOf('hold')}].`;
    const items = field.list(write, maxStages);
    if (items.length === 0) field.fail(`The list of stages is empty. ${write}`);
    const stages = items.map(readStage);
    const fault = stageFault(stages);
    if (fault?.stage !== undefined) {
      const item = items[fault.stage];
      (item?.map().get(fault.field) ?? item ?? field).fail(fault.sentence);
    }
    return stages;
  },
  write: (stages) => `[${stages.map(writeStage).join(', ')}]`,
  json: {
    type: 'array',
    minItems: 1,
    maxItems: maxStages,
    items: { anyOf: stageKinds.map((kind) => jsonOf(stageFields[kind])) },
  },
  words: `list, max ${maxStages}`,
  bounds: {
    is: 'list',
    min: 1,
    max: maxStages,
    of: {
      is: 'oneOf',
      tag: 'kind',
      of: Object.fromEntries(stageKinds.map((kind) => [kind, stageFields[kind]])),
    },
  },
};

export const writeStage = (stage: PlanStage): string => flow(writeFields(fieldsOfStage(stage.kind), valuesOf(stage)));
