import type { Plan, PlanSchedule, SeriesThreshold, StopCondition } from '../../../../domain/model/plan';
import { parseAmount, writeAmount } from '../../../../domain/series/seriesAmount';
import { seriesDefinition, seriesDefinitions, type SeriesId } from '../../../../domain/series/series';
import {
  namedSeries,
  seriesChoice,
  seriesGroups,
  type SeriesChoice,
  type SeriesGroup,
} from '../../../../domain/series/seriesGroups';
import { formatDuration } from '../../../../domain/text/timeFormat';
import { readDuration } from '../durations';
import type { FieldProblem } from '../../../ui/fieldProblem';

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
  /** Value of a datetime field, local time: `2026-11-22T03:00`; empty: immediately. */
  readonly at: string;
  readonly repeat: string;
  readonly every: string;
}

export const noConditions: ConditionsForm = { thresholds: [], stops: [], at: '', repeat: '', every: '' };

/** Series available to thresholds and stop conditions; those of the control player are excluded. */
export const thresholdGroups: readonly SeriesGroup[] = seriesGroups(
  namedSeries.filter((id) => seriesDefinitions[id].source !== 'player'),
);

type StopId = StopCondition['what'];
const stopShares: readonly SeriesChoice<StopId>[] = [
  { id: 'degraded', title: 'Degraded viewers', unit: '%', meaning: 'Of connected viewers.' },
  { id: 'failed', title: 'Failed viewers', unit: '%', meaning: 'Of requested viewers.' },
  { id: 'cpu', title: 'CPU of the origin', unit: '%', meaning: 'Of all cores of its host.' },
];
/** What can stop a run early: three percentages, then every series. */
export const stopGroups: readonly SeriesGroup<StopId>[] = [
  { title: 'Percentages', series: stopShares },
  ...thresholdGroups,
];

export function stopChoice(what: StopId): SeriesChoice<StopId> | undefined {
  return stopShares.find(({ id }) => id === what) ?? seriesChoice(what);
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

/** `degraded`, `failed` and `cpu` are percentages; a series has its own unit. */
function amountOf(what: StopCondition['what'], text: string): number | string {
  if (what !== 'degraded' && what !== 'failed' && what !== 'cpu') return parseAmount(what, text);
  return parseAmount('cpuPercent', text);
}

/** The form of a plan's content. */
export function conditionsOf({ thresholds = [], stopWhen = [], schedule = {} }: Plan): ConditionsForm {
  return {
    thresholds: thresholds.map(({ series, node = '', comparison, value, tolerancePercent, graceMs }) => ({
      key: nextKey(),
      series,
      node,
      comparison,
      amount: writeAmount(series, value),
      tolerance: tolerancePercent === undefined ? '' : String(tolerancePercent),
      grace: graceMs === undefined ? '' : formatDuration(graceMs),
    })),
    stops: stopWhen.map(({ what, node = '', comparison, value, forMs }) => ({
      key: nextKey(),
      what,
      node,
      comparison,
      amount: seriesDefinition(what) ? writeAmount(what as SeriesId, value) : `${value}%`,
      forLong: formatDuration(forMs),
    })),
    at: schedule.atMs === undefined ? '' : localInput(schedule.atMs),
    repeat: schedule.repeat === undefined ? '' : String(schedule.repeat),
    every: schedule.everyMs === undefined ? '' : formatDuration(schedule.everyMs),
  };
}

function localInput(timeMs: number): string {
  const date = new Date(timeMs);
  return new Date(timeMs - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The plan's parts that the form describes, and the problems of its fields. */
export function readConditions(form: ConditionsForm): {
  readonly plan: Pick<Plan, 'thresholds' | 'stopWhen' | 'schedule'>;
  readonly problems: readonly FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const fail = (path: string, sentence: string): undefined => void problems.push({ path, sentence });
  const thresholds = form.thresholds.flatMap((row, place): SeriesThreshold[] => {
    const path = `thresholds.${place}`;
    const value = parseAmount(row.series, row.amount);
    const tolerance = row.tolerance.trim() === '' ? undefined : Number(row.tolerance);
    const graceMs = row.grace.trim() === '' ? undefined : readDuration(row.grace);
    if (typeof value === 'string') fail(path, value);
    else if (tolerance !== undefined && !(tolerance >= 0 && tolerance <= 100))
      fail(path, 'Tolerance must be 0 to 100 % of the time.');
    else if (row.grace.trim() !== '' && graceMs === undefined) fail(path, 'Grace period needs a unit: 10 s or 1 min.');
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
    const value = amountOf(row.what, row.amount);
    const forMs = readDuration(row.forLong);
    if (typeof value === 'string') fail(path, value);
    else if (forMs === undefined) fail(path, 'Duration needs a unit: 30 s or 1 min.');
    else return [{ what: row.what, ...(row.node ? { node: row.node } : {}), comparison: row.comparison, value, forMs }];
    return [];
  });
  const schedule = readSchedule(form, fail);
  return {
    problems,
    plan: {
      ...(thresholds.length > 0 ? { thresholds } : {}),
      ...(stopWhen.length > 0 ? { stopWhen } : {}),
      ...(Object.keys(schedule).length > 0 ? { schedule } : {}),
    },
  };
}

function readSchedule(
  { at, repeat, every }: ConditionsForm,
  fail: (path: string, sentence: string) => undefined,
): PlanSchedule {
  const atMs = at === '' ? undefined : new Date(at).getTime();
  const times = repeat.trim() === '' ? undefined : Number(repeat);
  const everyMs = every.trim() === '' ? undefined : readDuration(every);
  if (times !== undefined && !(Number.isInteger(times) && times >= 1 && times <= 1000))
    fail('schedule.repeat', 'Runs must be a whole number, 1 to 1,000.');
  if (every.trim() !== '' && !everyMs) fail('schedule.every', 'Every needs a unit: 10 min or 1 h.');
  return {
    ...(atMs === undefined || Number.isNaN(atMs) ? {} : { atMs }),
    ...(times === undefined ? {} : { repeat: times }),
    ...(everyMs ? { everyMs } : {}),
  };
}
