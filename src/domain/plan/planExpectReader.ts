import { expectationIds, parseExpectation } from '../expectationText';
import {
  defaultExpectations,
  type Comparison,
  type Expectation,
  type ExpectationId,
  type Expectations,
  type SeriesThreshold,
} from './plan';
import { nodeName } from './planNames';
import type { PlanField } from './planField';
import { readDuration, readPercent } from './planQuantities';
import { exampleOf, parseAmount } from '../seriesAmount';
import { seriesDefinition, seriesDefinitions, type SeriesId } from '../series';

const mostThresholds = 50;

/** What a plan expects: the four that every plan knows, and any series. */
export interface Expected {
  readonly expect: Expectations;
  readonly thresholds?: readonly SeriesThreshold[];
}

const seriesIds = Object.keys(seriesDefinitions);
const words = {
  known: [...expectationIds, ...seriesIds],
  isToo: (name: string): boolean => isSeries(name),
  otherwise: `Possible: ${expectationIds.join(', ')}, and any series of docs/plans.md, e.g. rttP95Ms.`,
};

export function isSeries(name: string): name is SeriesId {
  return seriesDefinition(name) !== undefined;
}

/** Throws a `PlanError` at the first that is wrong. */
export function readExpect(field: PlanField | undefined): Expected {
  if (!field) return { expect: defaultExpectations };
  const expect: Partial<Record<ExpectationId, Expectation>> = { ...defaultExpectations };
  const thresholds: SeriesThreshold[] = [];
  for (const [key, each] of field.map(words.known, words)) {
    const id = expectationIds.find((known) => known === key);
    if (!id) {
      if (isSeries(key)) thresholds.push(...readThresholds(key, each));
      continue;
    }
    const text = each.text(`Write it like "${id === 'gcPause' ? '<= 10ms' : '<= 1%'}", or "off".`);
    if (text === 'off') {
      delete expect[id];
      continue;
    }
    const read = parseExpectation(id, text);
    if (typeof read === 'string') each.fail(read);
    else expect[id] = read;
  }
  if (thresholds.length > mostThresholds)
    field.fail(
      `There are ${thresholds.length} expectations of series; a plan takes at most ${mostThresholds}.`,
    );
  return { expect, ...(thresholds.length > 0 ? { thresholds } : {}) };
}

function readThresholds(series: SeriesId, field: PlanField): SeriesThreshold[] {
  if (field.isList) return field.list('', mostThresholds).map((each) => readThreshold(series, each));
  return [readThreshold(series, field)];
}

function readThreshold(series: SeriesId, field: PlanField): SeriesThreshold {
  const example = `"<= ${exampleOf(series)}"`;
  const write = `Write it like ${example}, or { is: ${example}, node: origin, tolerance: 5%, grace: 10s }.`;
  if (!field.isMap) return { series, ...readCondition(series, field, write) };
  const fields = field.map(['is', 'node', 'tolerance', 'grace']);
  const node = fields.get('node');
  const tolerance = fields.get('tolerance');
  const grace = fields.get('grace');
  return {
    series,
    ...readCondition(series, field.required(fields, 'is', write), write),
    ...(node ? { node: nodeName(node, 'Name the node that it is expected of.') } : {}),
    ...(tolerance
      ? {
          tolerancePercent: readPercent(tolerance, 'Write the share of the time that may miss it, e.g. 5%.', {
            above: -1,
            most: 100,
          }),
        }
      : {}),
    ...(grace
      ? { graceMs: readDuration(grace, 'Write how long nothing is judged at first, e.g. 10s.') }
      : {}),
  };
}

function readCondition(
  series: SeriesId,
  field: PlanField,
  write: string,
): { readonly comparison: Comparison; readonly value: number } {
  const text = field.text(write);
  const found = /^(>=|<=)\s*(.*)$/.exec(text.trim());
  const [, comparison, amount = ''] = found ?? [];
  if (comparison !== '>=' && comparison !== '<=')
    return field.fail(`"${text}" must begin with "<=" or ">=". ${write}`);
  const value = parseAmount(series, amount);
  return typeof value === 'string' ? field.fail(`${value} ${write}`) : { comparison, value };
}
