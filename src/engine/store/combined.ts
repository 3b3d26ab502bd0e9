import { allTestersId, aggregateSeries } from '../../domain/series/aggregate';
import type { BlockColumn } from './block';
import type { LastValue } from './overviewBlock';
import type { StoredSeries } from './samples';

/**
 * Combinations of several series for charts must be computed before samples are reduced: afterwards it is impossible.
 */

const gridMs = 1000;
/** Ids of the sums; a file numbers its own series from 1 on. */
const firstSumId = 2 ** 31;

/** The sums of a file as series, for the series that its testers have. */
export function sumSeries(series: readonly StoredSeries[]): StoredSeries[] {
  return aggregateSeries.flatMap((name, i) =>
    series.some((entry) => entry.series === name) ? [{ id: firstSumId + i, node: allTestersId, series: name }] : [],
  );
}

/** Ids of the inputs of `wanted`, including `wanted`. */
export function withSources(ids: ReadonlySet<number>, series: readonly StoredSeries[]): Set<number> {
  const all = new Set(ids);
  for (const { id, node, series: name } of series) {
    const sum = aggregateSeries.findIndex((id) => id === name);
    if (sum >= 0 && ids.has(firstSumId + sum)) all.add(id);
    const pause = series.find((entry) => entry.node === node && entry.series === 'gcPauseMs');
    if (name === 'processCpuPercent' && pause && ids.has(pause.id)) all.add(id);
  }
  return all;
}

/**
 * The columns of an interval with the combinations for charts: pauses with a measured 0 where the node was sampled and
 * did not pause, and the sums. Longer than `gapMs` without samples is a gap. `heard`: the latest values of the summed
 * series before; updated to the end of the interval.
 */
export function withCombined(
  columns: readonly BlockColumn[],
  series: readonly StoredSeries[],
  heard: Map<number, LastValue>,
  gapMs: number,
): BlockColumn[] {
  const byId = new Map(columns.map((column) => [column.seriesId, column]));
  const idOf = new Map(series.map(({ id, node, series: name }) => [`${node}\n${name}`, id]));
  const filled = series.flatMap(({ id, node, series: name }): BlockColumn[] => {
    const series = byId.get(id);
    const answers = name === 'gcPauseMs' && byId.get(idOf.get(`${node}\nprocessCpuPercent`) ?? -1);
    if (answers) return [withZeroes(series ?? { seriesId: id, timeMs: [], value: [] }, answers)];
    return series ? [series] : [];
  });
  const sums = sumSeries(series).map(({ id, series: name }) => {
    const parts = series.filter((entry) => entry.series === name).map((entry) => entry.id);
    return sumOf(id, parts, byId, heard, gapMs);
  });
  return [...filled, ...sums];
}

/** Pauses, and 0 at each sample without a pause. */
function withZeroes(pauses: BlockColumn, answers: BlockColumn): BlockColumn {
  const timeMs: number[] = [];
  const value: number[] = [];
  let at = 0;
  const takeUntil = (untilMs: number): void => {
    for (; at < pauses.timeMs.length && (pauses.timeMs[at] ?? 0) <= untilMs; at += 1) {
      timeMs.push(pauses.timeMs[at] ?? 0);
      value.push(pauses.value[at] ?? 0);
    }
  };
  for (const responseMs of answers.timeMs) {
    takeUntil(responseMs);
    const isPause =
      responseMs - (timeMs.at(-1) ?? -Infinity) <= gridMs / 2 ||
      (pauses.timeMs[at] ?? Infinity) - responseMs <= gridMs / 2;
    if (isPause) continue;
    timeMs.push(responseMs);
    value.push(0);
  }
  takeUntil(Infinity);
  return { seriesId: pauses.seriesId, timeMs, value };
}

/**
 * The sum at each time at which one of its parts was sampled, with the latest values of the others. A tester that ended
 * at 0 adds nothing; any other without recent samples makes the sum unknown.
 */
function sumOf(
  seriesId: number,
  parts: readonly number[],
  columns: ReadonlyMap<number, BlockColumn>,
  heard: Map<number, LastValue>,
  gapMs: number,
): BlockColumn {
  const samples = parts.flatMap((id) => {
    const { timeMs = [], value = [] } = columns.get(id) ?? {};
    return timeMs.map((time, i) => ({ id, timeMs: time, value: value[i] ?? 0 }));
  });
  samples.sort((a, b) => a.timeMs - b.timeMs);
  const timeMs: number[] = [];
  const value: number[] = [];
  samples.forEach((sample, i) => {
    heard.set(sample.id, sample);
    if (samples[i + 1]?.timeMs === sample.timeMs) return;
    const sum = sumAt(parts, heard, sample.timeMs, gapMs);
    if (sum === undefined) return;
    timeMs.push(sample.timeMs);
    value.push(sum);
  });
  return { seriesId, timeMs, value };
}

function sumAt(
  parts: readonly number[],
  heard: ReadonlyMap<number, LastValue>,
  timeMs: number,
  gapMs: number,
): number | undefined {
  let sum = 0;
  for (const id of parts) {
    const last = heard.get(id);
    if (!last || last.value === 0) continue;
    if (timeMs - last.timeMs > gapMs) return undefined;
    sum += last.value;
  }
  return sum;
}
