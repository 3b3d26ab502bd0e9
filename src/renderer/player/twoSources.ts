import type { RunFigures, RunView } from '../../domain/run';
import type { SeriesId } from '../../domain/series';
import { watchedOnly } from '../../domain/watched';
import type { Column } from '../charts/column';
import type { SampleStore } from '../charts/sampleStore';

/** One figure as two sources tell it. */
export interface SourcePair {
  readonly name: string;
  readonly audience: number | undefined;
  readonly origin: number | undefined;
  /** Decimals of the two figures. */
  readonly digits: number;
  /** Difference: of the larger one in percent, or in whole viewers where percents of a few say little. */
  readonly differ: { readonly value: number; readonly unit: '%' | '' } | undefined;
}

/** What was sent and what was received over the same time, in Mbit/s. */
export interface MediaCompared {
  readonly audience: number;
  readonly origin: number;
  readonly seconds: number;
}

/** Over less, one source's seconds hold a key frame more than the other's: 12 % of difference were seen with 50 viewers. */
const leastWindowMs = 5000;
const windowMs = 10_000;
/** Each source samples once a second at its own instant: samples nearer than this are of the same second. */
const sameSecondMs = 500;

/** Means over the last seconds that both sources have told of; undefined while those are too few. */
export function mediaCompared(
  run: Pick<RunView, 'plan' | 'nodes'>,
  samples: Pick<SampleStore, 'column'>,
): MediaCompared | undefined {
  const watched = watchedOnly(run.plan, run.nodes);
  const columnsOf = (role: 'origin' | 'tester', series: SeriesId) =>
    run.nodes
      .filter((node) => node.role === role && !watched.has(node.id))
      .flatMap(({ id }) => samples.column(id, series) ?? []);
  const sources = [columnsOf('tester', 'mediaInMbps'), columnsOf('origin', 'originOutMbps')] as const;
  if (sources.some(({ length }) => length === 0)) return undefined;
  const all = sources.flat();
  // The window begins and ends between two seconds, or one source has a second of the ramp-up that the other lacks.
  const toMs = Math.min(...all.map((column) => column.timeAt(column.length - 1))) + sameSecondMs;
  const fromMs = Math.max(toMs - windowMs, ...all.map((column) => column.timeAt(0) - sameSecondMs));
  if (toMs - fromMs < leastWindowMs - sameSecondMs) return undefined;
  const sum = (columns: readonly Column[]): number =>
    columns.reduce((total, column) => total + meanOf(column, fromMs, toMs), 0);
  return { audience: sum(sources[0]), origin: sum(sources[1]), seconds: Math.round((toMs - fromMs) / 1000) };
}

/** The mean of what was sampled after `fromMs` and until `toMs`; NaN where nothing was. */
function meanOf(column: Column, fromMs: number, toMs: number): number {
  let [count, total] = [0, 0];
  for (let at = column.length - 1; at >= 0 && column.timeAt(at) > fromMs; at -= 1) {
    if (column.timeAt(at) > toMs) continue;
    count += 1;
    total += column.valueAt(at);
  }
  return total / count;
}

function differencePercent(a: number | undefined, b: number | undefined): SourcePair['differ'] {
  if (a === undefined || b === undefined) return undefined;
  const larger = Math.max(Math.abs(a), Math.abs(b));
  return { value: larger === 0 ? 0 : (100 * Math.abs(a - b)) / larger, unit: '%' };
}

/** The figures that audience and origin both count. Without figures every cell is unknown, never 0. */
export function sourcePairs(
  figures: RunFigures | undefined,
  media: MediaCompared | undefined,
): readonly SourcePair[] {
  const { connected, degraded, originViewers, originDegraded } = figures ?? {};
  return [
    {
      name: 'Viewers',
      audience: connected,
      origin: originViewers,
      digits: 0,
      differ: differencePercent(connected, originViewers),
    },
    {
      name: 'Degraded',
      audience: degraded,
      origin: originDegraded,
      digits: 0,
      differ:
        degraded === undefined || originDegraded === undefined
          ? undefined
          : { value: Math.abs(degraded - originDegraded), unit: '' },
    },
    {
      name: media ? `Mbit/s, mean of ${media.seconds} s` : 'Mbit/s',
      audience: media?.audience,
      origin: media?.origin,
      digits: 1,
      differ: differencePercent(media?.audience, media?.origin),
    },
  ];
}
