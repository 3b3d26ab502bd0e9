import {
  expectationIds,
  defaultExpectations,
  delayStats,
  type ComparisonOperator,
  type DelayExpectation,
  type Expectation,
  type ExpectationId,
  type Expectations,
  type SeriesThreshold,
} from '../../model/plan';
import { oldSeries, renamedSeries } from '../../series/renamed';
import { isSeries, seriesDefinitions, type SeriesId } from '../../series/series';
import { exampleOf, parseAmount, writeAmount } from '../../series/seriesAmount';
import { delayExample, formatDelay, parseDelay } from '../delayText';
import { expectationRules, formatExpectation, parseExpectation } from '../expectationText';
import type { PlanField } from '../planField';
import { flow, list } from '../yamlText';
import { jsonOf, mapOf, readFields, writeFields, type FieldsOf } from './fields';
import { durationOrZero, node, percent, type JsonSchema, type Kind, type ReadKind } from './kind';

export const maxThresholds = 50;
export const maxDelays = 10;

/** The expectations of a plan: the five of every plan, any series, and the delay. */
export interface Expected {
  readonly expect: Expectations;
  readonly thresholds?: readonly SeriesThreshold[];
  readonly delay?: readonly DelayExpectation[];
}

interface Condition {
  readonly comparison: ComparisonOperator;
  readonly value: number;
}

/** Of one series, in its unit. */
const conditionOf = (series: SeriesId): Kind<Condition> => ({
  read: (field, write) => {
    const text = field.text(write);
    const [, comparison, amount = ''] = /^(>=|<=)\s*(.*)$/.exec(text.trim()) ?? [];
    if (comparison !== '>=' && comparison !== '<=')
      return field.fail(`"${text}" must start with "<=" or ">=". ${write}`);
    const value = parseAmount(series, amount);
    return typeof value === 'string' ? field.fail(`${value} ${write}`) : { comparison, value };
  },
  write: ({ comparison, value }) => JSON.stringify(`${comparison} ${writeAmount(series, value)}`),
  json: { type: 'string', pattern: '^\\s*[<>]=' },
  words: 'text',
});

type Threshold = Omit<SeriesThreshold, 'series' | keyof Condition> & { readonly is: Condition };

/** Where and when an expectation of a series applies. */
export const thresholdScope: FieldsOf<Omit<Threshold, 'is'>> = {
  node: {
    key: 'node',
    kind: node,
    label: 'Node',
    help: 'The node to which it applies',
    write: 'Name the node.',
    isOptional: true,
    absent: 'every node with the series',
  },
  tolerancePercent: {
    key: 'tolerance',
    kind: percent({ max: 100, fromZero: true }),
    label: 'Tolerance, % of time',
    placeholder: '0 %',
    help: 'Tolerated share of the judged time',
    write: 'Write the tolerated share of time, e.g. 5%.',
    isOptional: true,
    absent: '`0%`',
  },
  graceMs: {
    key: 'grace',
    kind: durationOrZero,
    label: 'Grace period after the first viewer',
    placeholder: '0 s',
    help: 'Time from the first arrival on that is not judged',
    write: 'Write the grace period, e.g. 10s.',
    isOptional: true,
    absent: '`0s`',
  },
};

/** The fields of an expectation of a series. */
export const thresholdFields = (series: SeriesId): FieldsOf<Threshold> => ({
  is: { key: 'is', kind: conditionOf(series), help: 'The condition, in the unit of the series' },
  ...thresholdScope,
});

const delayKey = 'delay';
const delayWrite = `Write it like "${delayExample}", or "off".`;
const oneDelay: JsonSchema = { type: 'string', pattern: '^\\s*(p50|p95|p99|max)\\s*<=' };

/** The expectations of the delay: one, or a list. */
export const delayField: Required<FieldsOf<Pick<Expected, 'delay'>>>['delay'] = {
  key: delayKey,
  kind: {
    read: readDelays,
    write: (all) => {
      const texts = all.map((each) => JSON.stringify(formatDelay(each)));
      return texts.length === 1 ? texts.join('') : list(texts);
    },
    json: { anyOf: [oneDelay, { type: 'array', items: oneDelay, maxItems: maxDelays }, { const: 'off' }] },
    words: 'text or list',
  },
  help: `Percentiles of the delay over the run that must not be exceeded, e.g. \`"${delayExample}"\`: ${delayStats.join(', ')}; see [The verdict](plans.md#the-verdict)`,
  label: 'Delay over the run',
  placeholder: delayExample,
  isOptional: true,
  absent: 'none',
};

const known = [...expectationIds, delayKey, ...Object.keys(seriesDefinitions)];
const others = {
  isToo: isSeries,
  renamed: renamedSeries,
  otherwise: `Possible: ${[...expectationIds, delayKey].join(', ')}, and any series of docs/series.md, e.g. rttP95Ms.`,
};

function readExpect(field: PlanField): Expected {
  const expect: Partial<Record<ExpectationId, Expectation>> = { ...defaultExpectations };
  const thresholds: SeriesThreshold[] = [];
  const delay: DelayExpectation[] = [];
  for (const [key, each] of field.map(known, others)) {
    const id = expectationIds.find((every) => every === key);
    if (!id) {
      if (key === delayKey) delay.push(...readDelays(each));
      else if (isSeries(key)) thresholds.push(...readThresholds(key, each));
      continue;
    }
    const text = each.text(`Write it like "${expectationRules[id].example}", or "off".`);
    if (text === 'off') {
      delete expect[id];
      continue;
    }
    const read = parseExpectation(id, text);
    if (typeof read === 'string') each.fail(read);
    else expect[id] = read;
  }
  if (thresholds.length > maxThresholds)
    field.fail(`${thresholds.length} expectations of series are too many; a plan allows at most ${maxThresholds}.`);
  return {
    expect,
    ...(thresholds.length > 0 ? { thresholds } : {}),
    ...(delay.length > 0 ? { delay } : {}),
  };
}

function readDelays(field: PlanField): readonly DelayExpectation[] {
  const texts = field.isList ? field.list('', maxDelays) : [field];
  return texts.flatMap((each) => {
    const text = each.text(delayWrite);
    if (text === 'off') return [];
    const read = parseDelay(text);
    return typeof read === 'string' ? each.fail(read) : [read];
  });
}

function readThresholds(series: SeriesId, field: PlanField): SeriesThreshold[] {
  if (field.isList) return field.list('', maxThresholds).map((each) => readThreshold(series, each));
  return [readThreshold(series, field)];
}

function readThreshold(series: SeriesId, field: PlanField): SeriesThreshold {
  const example = `"<= ${exampleOf(series)}"`;
  const write = `Write it like ${example}, or { is: ${example}, node: origin, tolerance: 5%, grace: 10s }.`;
  const fields = thresholdFields(series);
  if (!field.isMap) return { series, ...conditionOf(series).read(field, write) };
  const { is, ...rest } = readFields(field, mapOf(field, fields), fields, write);
  return { series, ...is, ...rest };
}

/** The YAML of each expectation; one that is not expected is `off`, since absence means the defaults. */
export function writeExpect({ expect, thresholds = [], delay = [] }: Expected): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const id of expectationIds) {
    const expectation = expect[id];
    fields[id] = expectation ? JSON.stringify(formatExpectation(id, expectation)) : 'off';
  }
  if (delay.length > 0) fields[delayKey] = delayField.kind.write(delay);
  for (const series of new Set(thresholds.map((each) => each.series))) {
    const all = thresholds.filter((each) => each.series === series).map(writeThreshold);
    fields[series] = all.length === 1 ? all.join('') : list(all);
  }
  return fields;
}

function writeThreshold({ series, comparison, value, ...rest }: SeriesThreshold): string {
  const fields = writeFields(thresholdFields(series), { is: { comparison, value }, ...rest });
  return Object.keys(fields).length === 1 ? (fields.is ?? '') : flow(fields);
}

const condition = conditionOf('cpuPercent').json;
const oneThreshold = { anyOf: [condition, jsonOf(thresholdFields('cpuPercent'))] };
const threshold = { anyOf: [...oneThreshold.anyOf, { type: 'array', items: oneThreshold, maxItems: maxThresholds }] };

const expectJson: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(
      expectationIds.map((id) => [
        id,
        {
          description: `E.g. ${expectationRules[id].example}, or off. ${suffixMeaning(id)}`,
          type: ['string', 'boolean'],
          default: formatExpectation(id, defaultExpectations[id]),
        },
      ]),
    ),
    [delayKey]: { description: delayField.help, ...delayField.kind.json },
    ...Object.fromEntries(
      Object.entries(seriesDefinitions).map(([id, { title }]) => [id, { description: title, ...threshold }]),
    ),
    ...Object.fromEntries(
      oldSeries.map(([old, now]) => [old, { description: `Deprecated: use ${now}.`, deprecated: true, ...threshold }]),
    ),
  },
  patternProperties: { '[:@]': threshold },
};

function suffixMeaning(id: ExpectationId): string {
  const { suffix } = expectationRules[id];
  if (id === 'outages') return `With "${suffix}" outages of viewers that reconnect are reported and decide nothing.`;
  return `With "${suffix}" it decides nothing without data.`;
}

export const expectKind: ReadKind<Expected> = { read: readExpect, json: expectJson, words: 'map' };
