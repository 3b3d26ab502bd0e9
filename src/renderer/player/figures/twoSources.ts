import type { RunFigures, RunView } from '../../../domain/model/run';
import type { SeriesId } from '../../../domain/series/series';
import { observedOnly } from '../../../domain/node/observedNodes';
import type { Column } from '../../charts/column';
import type { SampleStore } from '../../charts/sampleStore';

/** One figure from two sources. */
export interface SourcePair {
  readonly name: string;
  readonly audience: number | undefined;
  readonly origin: number | undefined;
  /** Decimals of both figures. */
  readonly digits: number;
  /** Difference: in percent of the larger one, or in viewers, since percentages of small counts mean little. */
  readonly differ: { readonly value: number; readonly unit: '%' | '' } | undefined;
}

/** Sent and received bitrate over the same time, in Mbit/s. */
export interface MediaCompared {
  readonly audience: number;
  readonly origin: number;
  readonly seconds: number;
}

/**
 * Over less, one source may include one more keyframe: 12 % difference was measured with 50 viewers.
 */
const minWindowMs = 5000;
const windowMs = 10_000;
/** Each source samples once a second at its own time: samples closer than this are of the same second. */
const sameSecondMs = 500;

/** Means over the last seconds reported by both sources; undefined while too few. */
export function mediaCompared(
  run: Pick<RunView, 'plan' | 'nodes'>,
  samples: Pick<SampleStore, 'column'>,
): MediaCompared | undefined {
  const observed = observedOnly(run.plan, run.nodes);
  const columnsOf = (role: 'origin' | 'tester', series: SeriesId) =>
    run.nodes
      .filter((node) => node.role === role && !observed.has(node.id))
      .flatMap(({ id }) => samples.column(id, series) ?? []);
  const sources = [columnsOf('tester', 'mediaInMbps'), columnsOf('origin', 'originOutMbps')] as const;
  if (sources.some(({ length }) => length === 0)) return undefined;
  const all = sources.flat();
  // The window starts and ends between two seconds, else one source has a second of the ramp-up that the other lacks.
  const toMs = Math.min(...all.map((column) => column.timeAt(column.length - 1))) + sameSecondMs;
  const fromMs = Math.max(toMs - windowMs, ...all.map((column) => column.timeAt(0) - sameSecondMs));
  if (toMs - fromMs < minWindowMs - sameSecondMs) return undefined;
  const sum = (columns: readonly Column[]): number =>
    columns.reduce((total, column) => total + meanOf(column, fromMs, toMs), 0);
  return { audience: sum(sources[0]), origin: sum(sources[1]), seconds: Math.round((toMs - fromMs) / 1000) };
}

/** The mean of samples after `fromMs` and until `toMs`; NaN without any. */
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

/** Figures measured by both testers and origin. Without figures every cell is unknown, never 0. */
export function sourcePairs(figures: RunFigures | undefined, media: MediaCompared | undefined): readonly SourcePair[] {
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
