import type { PanelSpec, TraceSpec } from '../../../domain/charts';

/** Times are ms since the start of the run; NaN breaks a line. */
export interface Line {
  readonly t: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  /** Of an overview: places before which the series was silent. */
  readonly breaks?: readonly number[];
}
export type SeriesOf = (node: string, series: string) => Line | undefined;

export function decodeColumn(base64: string, count: number): Line;
/** `stepMs`: between two samples of a series, by default a second. */
export function traceLine(trace: TraceSpec, seriesOf: SeriesOf, stepMs?: number): Line | undefined;
/** The lines of a panel by the keys of its traces; a stacked one stands on `base`. */
export function panelLines(
  panel: PanelSpec,
  seriesOf: SeriesOf,
  stepMs?: number,
): Map<string, Line & { readonly own?: Line; readonly base?: ArrayLike<number> }>;
/** `coarseMs`: of an overview. */
export function valueAt(
  line: Line & { readonly own?: Line },
  timeMs: number,
  coarseMs?: number,
): number | undefined;
export function extremeOf(
  line: Line & { readonly own?: Line },
  extreme: TraceSpec['extreme'],
): number | undefined;
