import type { RunFigures } from '../../domain/run';

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

function differencePercent(a: number | undefined, b: number | undefined): SourcePair['differ'] {
  if (a === undefined || b === undefined) return undefined;
  const larger = Math.max(Math.abs(a), Math.abs(b));
  return { value: larger === 0 ? 0 : (100 * Math.abs(a - b)) / larger, unit: '%' };
}

/** The figures that audience and origin both count. Without figures every cell is unknown, never 0. */
export function sourcePairs(figures: RunFigures | undefined): readonly SourcePair[] {
  const { connected, degraded, mediaInMbps, originViewers, originDegraded, originOutMbps } = figures ?? {};
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
      name: 'Mbit/s',
      audience: mediaInMbps,
      origin: originOutMbps,
      digits: 1,
      differ: differencePercent(mediaInMbps, originOutMbps),
    },
  ];
}
