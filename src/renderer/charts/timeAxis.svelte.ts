import type { TimeRange } from '../../domain/charts/drawing/frame';
import { nextMark, scaleAround, visibleRange, zoomRange, type AxisSpan, type AxisView } from './axisRange';

/**
 * The time axis shared by all charts: visible range, live mode and crosshair. All times
 * are ms since the run started; of an axis of wall times, Unix ms. `ChartGrid` keeps `nowMs`, `firstMs`, `ended` and
 * `plotPx` current; the rest is for buttons and keys.
 */
export class TimeAxis {
  span = $state<AxisSpan>('run');
  /** Where the data begins. */
  firstMs = $state(0);
  zoom = $state.raw<TimeRange | undefined>(undefined);
  /** Live mode. */
  live = $state(true);
  cursorMs = $state<number | undefined>(undefined);
  nowMs = $state(0);
  ended = $state(false);
  plotPx = $state(225);

  readonly range: TimeRange = $derived.by(() => visibleRange(this.#view(this.span, this.zoom, this.live)));

  constructor(
    /** Of wall times: it has no start, and shows the last hour. */
    readonly isWall = false,
  ) {
    if (isWall) this.span = '1h';
  }

  /** Shows everything, or the last hours or minutes, and follows again. */
  show(span: AxisSpan): void {
    this.span = span;
    this.zoom = undefined;
    this.live = true;
  }

  /** Back to the range before zooming. */
  reset(): void {
    this.zoom = undefined;
    this.live = true;
  }

  /** `Live`: follows now, keeping the visible length. */
  follow(): void {
    this.live = true;
  }

  zoomTo(oneMs: number, otherMs: number): void {
    this.zoom = zoomRange(oneMs, otherMs, this.#limits());
    this.live = false;
  }

  zoomIn(): void {
    this.#scale(0.5);
  }

  zoomOut(): void {
    const { fromMs, toMs } = this.range;
    const limits = this.#limits();
    if ((toMs - fromMs) * 2 >= limits.toMs - limits.fromMs) this.show('run');
    else this.#scale(2);
  }

  /** Moves the crosshair to a time and makes it visible. */
  jumpTo(timeMs: number): void {
    this.cursorMs = Math.max(this.firstMs, timeMs);
    const { fromMs, toMs } = this.range;
    if (this.cursorMs >= fromMs && this.cursorMs <= toMs) return;
    const length = toMs - fromMs;
    this.zoomTo(this.cursorMs - length / 2, this.cursorMs + length / 2);
  }

  /** Steps the crosshair by whole seconds; from now if none exists. */
  stepCursor(seconds: number): void {
    const from = Math.round((this.cursorMs ?? this.nowMs) / 1000) * 1000;
    this.jumpTo(Math.min(this.nowMs, Math.max(this.firstMs, from + seconds * 1000)));
  }

  /** Steps the crosshair to the next mark; stays if none exists. */
  stepToMark(marksMs: readonly number[], direction: 1 | -1): void {
    const mark = nextMark(marksMs, this.cursorMs ?? (direction === 1 ? -1 : this.nowMs + 1), direction);
    if (mark !== undefined) this.jumpTo(mark);
  }

  clearCursor(): void {
    this.cursorMs = undefined;
  }

  #scale(factor: number): void {
    const { fromMs, toMs } = this.range;
    const around = this.cursorMs ?? (this.live && !this.ended ? this.nowMs : (fromMs + toMs) / 2);
    const follows = this.live && !this.ended && this.cursorMs === undefined;
    this.zoom = scaleAround(this.range, around, factor, this.#limits());
    this.live = follows;
  }

  #limits(): TimeRange {
    return visibleRange(this.#view('run', undefined, true));
  }

  #view(span: AxisSpan, zoom: TimeRange | undefined, live: boolean): AxisView {
    const { nowMs, ended, plotPx, firstMs, isWall } = this;
    return { span, zoom, live, nowMs, ended, plotPx, firstMs, isWall };
  }
}
