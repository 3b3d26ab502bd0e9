import type { Plan, PlanSchedule, SeriesThreshold, StopCondition } from '../../domain/plan/plan';
import { parseAmount, writeAmount } from '../../domain/seriesAmount';
import { seriesDefinition, seriesDefinitions, type SeriesId } from '../../domain/series';
import {
  namedSeries,
  seriesChoice,
  seriesGroups,
  type SeriesChoice,
  type SeriesGroup,
} from '../../domain/seriesGroups';
import { formatDuration } from '../../domain/timeFormat';
import { readDuration } from '../dialogs/durations';
import type { FieldProblem } from '../dialogs/pullForm';

/** One more thing that a verdict expects, as typed. */
export interface ThresholdRow {
  readonly key: number;
  readonly series: SeriesId;
  /** Of the plan's name; empty for every node that has the series. */
  readonly node: string;
  readonly comparison: SeriesThreshold['comparison'];
  readonly amount: string;
  /** Percent of the time; empty: none. */
  readonly tolerance: string;
  /** After the first arrival; empty: none. */
  readonly grace: string;
}

/** When the run gives up by itself, as typed. */
export interface StopRow {
  readonly key: number;
  readonly what: StopCondition['what'];
  readonly node: string;
  readonly comparison: StopCondition['comparison'];
  readonly amount: string;
  readonly forLong: string;
}

/** What a plan may say beyond its audience and the four expectations, as typed. */
export interface ExtrasForm {
  readonly thresholds: readonly ThresholdRow[];
  readonly stops: readonly StopRow[];
  /** As the field of a date has it, local time: `2026-11-22T03:00`; empty: at once. */
  readonly at: string;
  readonly repeat: string;
  readonly every: string;
}

export const noExtras: ExtrasForm = { thresholds: [], stops: [], at: '', repeat: '', every: '' };

/** Series that a threshold or a stop condition can be about; what the control player measures decides nothing. */
export const thresholdGroups: readonly SeriesGroup[] = seriesGroups(
  namedSeries.filter((id) => seriesDefinitions[id].source !== 'player'),
);

type StopId = StopCondition['what'];
const stopShares: readonly SeriesChoice<StopId>[] = [
  { id: 'degraded', title: 'Degraded viewers', unit: '%', meaning: 'Of the viewers that are connected.' },
  { id: 'failed', title: 'Failed viewers', unit: '%', meaning: 'Of the viewers that the plan asks for.' },
  { id: 'cpu', title: 'CPU of the origin', unit: '%', meaning: 'Of all cores of its host.' },
];
/** What can end a run early: three shares, then every series. */
export const stopGroups: readonly SeriesGroup<StopId>[] = [
  { title: 'Shares', series: stopShares },
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

/** `degraded`, `failed` and `cpu` are shares; a series has its own unit. */
function amountOf(what: StopCondition['what'], text: string): number | string {
  if (what !== 'degraded' && what !== 'failed' && what !== 'cpu') return parseAmount(what, text);
  return parseAmount('cpuPercent', text);
}

/** The form of what a plan says. */
export function extrasOf({ thresholds = [], stopWhen = [], schedule = {} }: Plan): ExtrasForm {
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

/** The plan's parts that the form describes, and what is wrong with its fields. */
export function readExtras(form: ExtrasForm): {
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
      fail(path, 'The tolerance is a share of the time, 0 to 100 %.');
    else if (row.grace.trim() !== '' && graceMs === undefined)
      fail(path, 'The grace needs a unit: 10 s or 1 min.');
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
    else if (forMs === undefined) fail(path, 'How long needs a unit: 30 s or 1 min.');
    else
      return [
        { what: row.what, ...(row.node ? { node: row.node } : {}), comparison: row.comparison, value, forMs },
      ];
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
  { at, repeat, every }: ExtrasForm,
  fail: (path: string, sentence: string) => undefined,
): PlanSchedule {
  const atMs = at === '' ? undefined : new Date(at).getTime();
  const times = repeat.trim() === '' ? undefined : Number(repeat);
  const everyMs = every.trim() === '' ? undefined : readDuration(every);
  if (times !== undefined && !(Number.isInteger(times) && times >= 1 && times <= 1000))
    fail('schedule.repeat', 'How often is a whole number, 1 to 1,000.');
  if (every.trim() !== '' && !everyMs)
    fail('schedule.every', 'The time between two runs needs a unit: 10 min or 1 h.');
  return {
    ...(atMs === undefined || Number.isNaN(atMs) ? {} : { atMs }),
    ...(times === undefined ? {} : { repeat: times }),
    ...(everyMs ? { everyMs } : {}),
  };
}
