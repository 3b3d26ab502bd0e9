import type {
  DelayExpectation,
  Plan,
  PlanSchedule,
  SeriesThreshold,
  StopCondition,
} from '../../../../domain/model/plan';
import { formatDelay, parseDelay } from '../../../../domain/plan/delayText';
import { thresholdScope } from '../../../../domain/plan/fields/expect';
import { labelOf, type FieldOf } from '../../../../domain/plan/fields/fields';
import { durationOrZero } from '../../../../domain/plan/fields/kind';
import { scheduleFields } from '../../../../domain/plan/fields/schedule';
import { parseStopAmount, stopShareIds, stopShares, writeStopAmount } from '../../../../domain/plan/fields/stops';
import { parseAmount, writeAmount } from '../../../../domain/series/seriesAmount';
import { seriesDefinitions, type SeriesId } from '../../../../domain/series/series';
import {
  namedSeries,
  seriesChoice,
  seriesGroups,
  type SeriesChoice,
  type SeriesGroup,
} from '../../../../domain/series/seriesGroups';
import type { FieldProblem } from '../../../ui/fieldProblem';
import { amountText, readAmount } from './amounts';

/** A further expectation, as typed. */
export interface ThresholdRow {
  readonly key: number;
  readonly series: SeriesId;
  /** Name of a node in the plan; empty for every node with the series. */
  readonly node: string;
  readonly comparison: SeriesThreshold['comparison'];
  readonly amount: string;
  /** Percent of the time; may be empty. */
  readonly tolerance: string;
  /** After the first viewer; may be empty. */
  readonly grace: string;
}

/** A stop condition, as typed. */
export interface StopRow {
  readonly key: number;
  readonly what: StopCondition['what'];
  readonly node: string;
  readonly comparison: StopCondition['comparison'];
  readonly amount: string;
  readonly forLong: string;
}

/** Plan content beyond the load profile and the four expectations, as typed. */
export interface ConditionsForm {
  readonly thresholds: readonly ThresholdRow[];
  readonly stops: readonly StopRow[];
  /** Expectations of the delay as in a plan, separated by commas. */
  readonly delay: string;
  /** Local time, written as everywhere in the window: `2026-11-22 03:00`; empty: immediately. */
  readonly at: string;
  readonly repeat: string;
  readonly every: string;
}

export const noConditions: ConditionsForm = { thresholds: [], stops: [], delay: '', at: '', repeat: '', every: '' };

/** Series available to thresholds and stop conditions; those of the control player are excluded. */
export const thresholdGroups: readonly SeriesGroup[] = seriesGroups(
  namedSeries.filter((id) => seriesDefinitions[id].source !== 'player'),
);

type StopId = StopCondition['what'];
const shares = stopShareIds.map((id): SeriesChoice<StopId> => ({ id, unit: '%', ...stopShares[id] }));
/** What can stop a run early: three percentages, then every series. */
export const stopGroups: readonly SeriesGroup<StopId>[] = [
  { title: 'Percentages', series: shares },
  ...thresholdGroups,
];

export function stopChoice(what: StopId): SeriesChoice<StopId> | undefined {
  return shares.find(({ id }) => id === what) ?? seriesChoice(what);
}

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export function newThreshold(): ThresholdRow {
  return {
    key: nextKey(),
    series: 'rttP95Ms',
    node: '',
    comparison: '<=',
    amount: '200ms',
    tolerance: '',
    grace: '',
  };
}

export function newStop(): StopRow {
  return { key: nextKey(), what: 'degraded', node: '', comparison: '>', amount: '20%', forLong: '30 s' };
}

/** The form of a plan's content. */
export function conditionsOf({ thresholds = [], stopWhen = [], delay = [], schedule = {} }: Plan): ConditionsForm {
  return {
    thresholds: thresholds.map(({ series, node = '', comparison, value, tolerancePercent, graceMs }) => ({
      key: nextKey(),
      series,
      node,
      comparison,
      amount: writeAmount(series, value),
      tolerance: textOf(thresholdScope.tolerancePercent, tolerancePercent),
      grace: textOf(thresholdScope.graceMs, graceMs),
    })),
    stops: stopWhen.map(({ what, node = '', comparison, value, forMs }) => ({
      key: nextKey(),
      what,
      node,
      comparison,
      amount: writeStopAmount({ what, value }),
      forLong: amountText(durationOrZero.bounds, forMs),
    })),
    delay: delay.map(formatDelay).join(', '),
    at: schedule.atMs === undefined ? '' : localInput(schedule.atMs),
    repeat: textOf(scheduleFields.repeat, schedule.repeat),
    every: textOf(scheduleFields.everyMs, schedule.everyMs),
  };
}

const textOf = ({ kind }: FieldOf<number>, value: number | undefined): string =>
  value === undefined ? '' : amountText(kind.bounds, value);

/** A field that may be empty: its value, or one sentence. */
function readOptional(field: FieldOf<number>, text: string): number | undefined | string {
  if (text.trim() === '') return undefined;
  const value = readAmount(field.kind.bounds, text);
  return typeof value === 'string' ? `"${labelOf(field)}": ${value}` : value;
}

function localInput(timeMs: number): string {
  const date = new Date(timeMs);
  return new Date(timeMs - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** Undefined for an empty text, and for one that is no time. */
function localTime(text: string): number | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(text.trim()) ?? [];
  const timeMs = new Date(`${day}T${time}`).getTime();
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** The plan's parts that the form describes, and the problems of its fields. */
export function readConditions(form: ConditionsForm): {
  readonly plan: Pick<Plan, 'thresholds' | 'stopWhen' | 'delay' | 'schedule'>;
  readonly problems: readonly FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const fail = (path: string, sentence: string): undefined => void problems.push({ path, sentence });
  const thresholds = form.thresholds.flatMap((row, place): SeriesThreshold[] => {
    const path = `thresholds.${place}`;
    const value = parseAmount(row.series, row.amount);
    const tolerance = readOptional(thresholdScope.tolerancePercent, row.tolerance);
    const graceMs = readOptional(thresholdScope.graceMs, row.grace);
    if (typeof value === 'string') fail(path, value);
    else if (typeof tolerance === 'string') fail(path, tolerance);
    else if (typeof graceMs === 'string') fail(path, graceMs);
    else
      return [
        {
          series: row.series,
          ...(row.node ? { node: row.node } : {}),
          comparison: row.comparison,
          value,
          ...(tolerance === undefined ? {} : { tolerancePercent: tolerance }),
          ...(graceMs === undefined ? {} : { graceMs }),
        },
      ];
    return [];
  });
  const stopWhen = form.stops.flatMap((row, place): StopCondition[] => {
    const path = `stop.${place}`;
    const value = parseStopAmount(row.what, row.amount);
    const forMs = readAmount(durationOrZero.bounds, row.forLong);
    if (typeof value === 'string') fail(path, value);
    else if (typeof forMs === 'string') fail(path, forMs);
    else return [{ what: row.what, ...(row.node ? { node: row.node } : {}), comparison: row.comparison, value, forMs }];
    return [];
  });
  const delay = form.delay.split(',').flatMap((text): DelayExpectation[] => {
    if (text.trim() === '') return [];
    const read = parseDelay(text);
    if (typeof read !== 'string') return [read];
    fail('delay', read);
    return [];
  });
  const schedule = readSchedule(form, fail);
  return {
    problems,
    plan: {
      ...(thresholds.length > 0 ? { thresholds } : {}),
      ...(stopWhen.length > 0 ? { stopWhen } : {}),
      ...(delay.length > 0 ? { delay } : {}),
      ...(Object.keys(schedule).length > 0 ? { schedule } : {}),
    },
  };
}

function readSchedule(
  { at, repeat, every }: ConditionsForm,
  fail: (path: string, sentence: string) => undefined,
): PlanSchedule {
  const atMs = localTime(at);
  if (at.trim() !== '' && atMs === undefined)
    fail('schedule.at', `"${labelOf(scheduleFields.atMs)}": write the local time as 2026-11-22 03:00.`);
  const runs = readOptional(scheduleFields.repeat, repeat);
  const everyMs = readOptional(scheduleFields.everyMs, every);
  if (typeof runs === 'string') fail('schedule.repeat', runs);
  if (typeof everyMs === 'string') fail('schedule.every', everyMs);
  return {
    ...(atMs === undefined ? {} : { atMs }),
    ...(typeof runs === 'number' ? { repeat: runs } : {}),
    ...(typeof everyMs === 'number' ? { everyMs } : {}),
  };
}
