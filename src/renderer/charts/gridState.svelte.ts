import type { ChartId } from '../../domain/charts';
import type { ChartClock } from './clock';
import type { ReadoutMode } from './readouts';
import type { Scene } from './scene';
import type { TimeAxis } from './timeAxis.svelte';

/** What the cards of a grid share while somebody points at one of them. */
export class GridState {
  hoveredChart = $state<ChartId | undefined>(undefined);
  /** Stretch being dragged, in ms since the start of the run. */
  selection = $state.raw<{ readonly fromMs: number; readonly toMs: number } | undefined>(undefined);

  constructor(
    readonly axis: TimeAxis,
    readonly clock: ChartClock,
    /** What to draw, as of now. */
    readonly scene: () => Scene,
    /** Figures to show while there is no crosshair. */
    readonly restingMode: () => ReadoutMode,
  ) {}

  /** The figures to show: at the crosshair while there is one. */
  readoutMode(): ReadoutMode {
    const { cursorMs } = this.axis;
    if (cursorMs === undefined) return this.restingMode();
    return { kind: 'cursor', timeMs: this.scene().startedMs + cursorMs };
  }

  /** The pointer is at this moment: on a whole second, since samples come once a second, and not in what is to come. */
  point(chart: ChartId, timeMs: number): void {
    this.hoveredChart = chart;
    this.axis.cursorMs = Math.round(Math.min(timeMs, this.axis.nowMs) / 1000) * 1000;
  }

  leave(): void {
    this.hoveredChart = undefined;
    this.axis.clearCursor();
  }

  endSelection(): void {
    const { selection } = this;
    this.selection = undefined;
    if (selection) this.axis.zoomTo(selection.fromMs, selection.toMs);
  }
}
