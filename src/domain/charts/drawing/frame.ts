import type { Phase } from '../../model/run';

/** What is drawn around the traces of a chart: the plan in the lane above, and intervals across the plot. */

/** Height of the lane above a plot. */
export const laneHeight = 11;

/** An interval of the axis; times since the start of the run. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A phase; the current one ends now. */
export interface PhaseSpan extends TimeRange {
  readonly name: string;
}

/** `nowMs`: since the start of the run. */
export function phaseSpans(phases: readonly Phase[], startedMs: number, nowMs: number): readonly PhaseSpan[] {
  return phases.map(({ name, startMs, endMs }) => ({
    name,
    fromMs: startMs - startedMs,
    toMs: endMs === undefined ? nowMs : endMs - startedMs,
  }));
}

/** The pixels of a time axis. */
export interface AxisPlace {
  readonly left: number;
  readonly right: number;
  /** From ms since the start of the run, not clipped. */
  readonly xOf: (timeMs: number) => number;
}

/** An interval in pixels, clipped to the plot; undefined outside. */
export function clipped(
  { fromMs, toMs }: TimeRange,
  { left, right, xOf }: AxisPlace,
): { readonly from: number; readonly to: number } | undefined {
  const from = Math.max(left, xOf(fromMs));
  const to = Math.min(right, xOf(toMs));
  return to > from ? { from, to } : undefined;
}

/** A phase as a shape of the lane: low at its start or end where the audience is 0 there. Not clipped. */
export interface PhaseShape {
  readonly from: number;
  /** A pixel of space before the next phase. */
  readonly to: number;
  readonly startsLow: boolean;
  readonly endsLow: boolean;
  /** The plot below a ramp is shaded. */
  readonly isRamp: boolean;
}

/** The plan as a profile in the lane. */
export function phaseShapes(phases: readonly PhaseSpan[], { xOf }: AxisPlace): readonly PhaseShape[] {
  return phases.flatMap(({ name, fromMs, toMs }) => {
    const from = xOf(fromMs);
    const to = xOf(toMs) - 1;
    if (to <= from || name === 'prepare') return [];
    const [startsLow, endsLow] = [name === 'ramp' || name === 'baseline', name === 'drain' || name === 'baseline'];
    return [{ from, to, startsLow, endsLow, isRamp: name === 'ramp' }];
  });
}

/** Names of the phases with the left end of their text; one that does not fit is left out. */
export function phaseNames(
  phases: readonly PhaseSpan[],
  axis: AxisPlace,
  widthOf: (text: string) => number,
): readonly { readonly name: string; readonly x: number }[] {
  return phases.flatMap((phase) => {
    const place = clipped(phase, axis);
    const name = phase.name === 'drain' ? 'teardown' : phase.name;
    const fits = place && name !== 'prepare' && place.to - place.from > widthOf(name) + 4;
    return fits ? [{ name, x: place.from + 4 }] : [];
  });
}
