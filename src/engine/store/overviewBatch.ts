import type { OverviewBatch } from '../../contract/schemas';
import type { Overview } from '.';

/** An overview as sent between processes: two arrays for all points. */
export function overviewBatch({ stepMs, columns, nextMs }: Overview): OverviewBatch {
  const count = columns.reduce((sum, { timeMs }) => sum + timeMs.length, 0);
  const timeMs = new Float64Array(count);
  const value = new Float32Array(count);
  const ends: number[] = [];
  const breaks: number[] = [];
  let at = 0;
  for (const column of columns) {
    timeMs.set(column.timeMs, at);
    value.set(column.value, at);
    for (const place of column.breaks) breaks.push(at + place);
    at += column.timeMs.length;
    ends.push(at);
  }
  return {
    stepMs,
    keys: columns.map(({ node, series }) => ({ node, series })),
    ends,
    timeMs,
    value,
    breaks,
    firstMs: columns.map(({ firstMs }) => firstMs),
    lastMs: columns.map(({ lastMs }) => lastMs),
    nextMs,
  };
}
