import type { TimeRange } from '../../domain/charts/drawing/frame';
import { timeStep } from '../../domain/charts/drawing/scales';

/** Visible range of a run, or of a watched fleet. Times are ms since the run started, or Unix ms. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Lengths that an axis follows, shortest first, ms. */
const spanMs = {
  '1min': minuteMs,
  '5min': 5 * minuteMs,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
};
type FixedSpan = keyof typeof spanMs;
/** `run`: everything. */
export type AxisSpan = 'run' | FixedSpan;

const watchSpans: readonly FixedSpan[] = ['5min', '1h', '6h', '24h', '7d'];

/** The lengths to offer for a watched fleet: up to the first one that shows all there is. */
export function spansWithin(lengthMs: number): readonly FixedSpan[] {
  const all = watchSpans.findIndex((span) => spanMs[span] >= lengthMs);
  return all < 0 ? watchSpans : watchSpans.slice(0, all + 1);
}

export interface AxisView {
  readonly span: AxisSpan;
  /** A part chosen by drag or by keys; follows `nowMs` while `live`. */
  readonly zoom: TimeRange | undefined;
  readonly live: boolean;
  readonly nowMs: number;
  /** The run has ended. */
  readonly ended: boolean;
  /** Width of a plot, for the round end of a growing axis. */
  readonly plotPx: number;
  /** Where the data begins, if not at 0: what is older does not exist. */
  readonly firstMs?: number;
  /** Wall times: a span that is longer than all there is shows all there is. */
  readonly isWall?: boolean;
}

/** Shortest visible range. */
const shortestMs = 10_000;
/** Share of the axis left free for new samples. */
const ahead = 0.03;

/** The range in view. A growing axis ends at a round time ahead of now, so that it moves in steps. */
export function visibleRange(view: AxisView): TimeRange {
  const { span, zoom, live, nowMs, ended, plotPx, firstMs = 0, isWall = false } = view;
  const follows = live && !ended;
  if (zoom) {
    if (!follows) return zoom;
    const length = zoom.toMs - zoom.fromMs;
    return { fromMs: nowMs - length, toMs: nowMs };
  }
  const existsMs = nowMs - firstMs;
  const length = span === 'run' ? Infinity : spanMs[span];
  if (existsMs >= length) return { fromMs: nowMs - length, toMs: nowMs };
  // A short run starts at the left edge instead of hanging in from the right.
  if (span !== 'run' && !isWall) return { fromMs: firstMs, toMs: firstMs + length };
  if (ended) return { fromMs: firstMs, toMs: firstMs + Math.max(shortestMs, existsMs) };
  const least = Math.max(30_000, existsMs * (1 + ahead));
  const step = timeStep(least, plotPx, least);
  // Half steps in a long run, so less of the plot stays empty.
  const unit = step >= 120_000 ? step / 2 : step;
  return { fromMs: firstMs, toMs: firstMs + Math.ceil(least / unit) * unit };
}

/** A dragged selection as a range: ordered, of minimum length, within the run. */
export function zoomRange(oneMs: number, otherMs: number, limits: TimeRange): TimeRange {
  const middle = (oneMs + otherMs) / 2;
  const length = Math.max(shortestMs, Math.abs(otherMs - oneMs));
  return within({ fromMs: middle - length / 2, toMs: middle + length / 2 }, limits);
}

/** Zooms a range in (factor < 1) or out around a fixed time. */
export function scaleAround(range: TimeRange, aroundMs: number, factor: number, limits: TimeRange): TimeRange {
  const length = range.toMs - range.fromMs;
  const scaled = Math.max(shortestMs, length * factor);
  const place = length > 0 ? (aroundMs - range.fromMs) / length : 0.5;
  const fromMs = aroundMs - scaled * place;
  return within({ fromMs, toMs: fromMs + scaled }, limits);
}

function within(range: TimeRange, limits: TimeRange): TimeRange {
  const length = Math.min(range.toMs - range.fromMs, limits.toMs - limits.fromMs);
  const fromMs = Math.min(Math.max(range.fromMs, limits.fromMs), limits.toMs - length);
  return { fromMs, toMs: fromMs + length };
}

/** The next mark before or after a time; undefined if none exists. */
export function nextMark(marksMs: readonly number[], fromMs: number, direction: 1 | -1): number | undefined {
  const sorted = [...marksMs].sort((a, b) => a - b);
  return direction === 1
    ? sorted.find((mark) => mark > fromMs + 1)
    : sorted.reverse().find((mark) => mark < fromMs - 1);
}
