import { pipelineMs, type DelayFigures, type DelayPercentile } from './figures';
import type { DelayRow } from './table';

/** A figure over the repeats of a path. */
export interface Spread {
  /** Median of the repeats. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

/** A path over its repeats. */
export interface DelaySummaryOfPath extends Readonly<Record<DelayPercentile, Spread>> {
  /** Repeats that were measured. */
  readonly measured: number;
  readonly jitterMs: Spread;
  readonly rttMs: Spread | undefined;
  readonly pipelineMs: Spread | undefined;
  readonly avOffsetMs: Spread | undefined;
  /** The highest of the repeats. */
  readonly uncertaintyMs: number;
  /** Frames of all repeats. */
  readonly frames: number;
}

/** Undefined without values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  // Of an even number of repeats both in the middle count.
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || least === undefined || most === undefined) return undefined;
  return { value: (low + high) / 2, least, most };
}

/** What was measured, without the repeats that failed. */
export const measuredOf = ({ repeats }: DelayRow): readonly DelayFigures[] =>
  repeats.flatMap((repeat) => ('delay' in repeat ? [repeat.delay] : []));

/** Undefined if no repeat was measured. */
export function summaryOf(row: DelayRow): DelaySummaryOfPath | undefined {
  const all = measuredOf(row);
  const of = (read: (figures: DelayFigures) => number | undefined): Spread | undefined =>
    spreadOf(all.flatMap((figures) => read(figures) ?? []));
  const p50 = of((figures) => figures.p50Ms);
  const p95 = of((figures) => figures.p95Ms);
  const p99 = of((figures) => figures.p99Ms);
  const jitterMs = of((figures) => figures.jitterMs);
  if (!p50 || !p95 || !p99 || !jitterMs) return undefined;
  return {
    ...{ p50, p95, p99, jitterMs },
    measured: all.length,
    rttMs: of((figures) => figures.rttMs),
    pipelineMs: of(pipelineMs),
    avOffsetMs: of((figures) => figures.avOffsetMs),
    uncertaintyMs: Math.max(...all.map(({ uncertaintyMs }) => uncertaintyMs)),
    frames: all.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Why repeats of a path failed, each reason once. */
export const failuresOf = ({ repeats }: DelayRow): readonly string[] => [
  ...new Set(repeats.flatMap((repeat) => ('failed' in repeat ? [repeat.failed] : []))),
];

/** What was remarked on measurements of a path, each once. */
export const remarksOf = ({ repeats }: DelayRow): readonly string[] => [
  ...new Set(repeats.flatMap((repeat) => ('delay' in repeat && repeat.remark !== undefined ? [repeat.remark] : []))),
];
