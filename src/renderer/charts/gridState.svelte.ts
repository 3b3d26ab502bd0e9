import type { ChartId } from '../../domain/model/chartIds';
import type { ChartClock } from './chartClock';
import type { ReadoutMode } from '../../domain/charts/drawing/readouts';
import type { Scene } from './scene';
import type { TimeAxis } from './timeAxis.svelte';

/** State shared by the cards of a grid while one is hovered. */
export class GridState {
  hoveredChart = $state<ChartId | undefined>(undefined);
  /** Drag selection, in ms since the start of the run. */
  selection = $state.raw<{ readonly fromMs: number; readonly toMs: number } | undefined>(undefined);

  constructor(
    readonly axis: TimeAxis,
    readonly clock: ChartClock,
    /** What to draw now. */
    readonly scene: () => Scene,
    /** Figures to show without a crosshair. */
    readonly restingMode: () => ReadoutMode,
  ) {}

  /** The figures to show: at the crosshair if present. */
  readoutMode(): ReadoutMode {
    const { cursorMs } = this.axis;
    if (cursorMs === undefined) return this.restingMode();
    return { kind: 'cursor', timeMs: this.scene().startedMs + cursorMs };
  }

  /** Moves the crosshair: to a whole second, since samples arrive once a second, and not into the future. */
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
