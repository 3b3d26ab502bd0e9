import { bandFigures } from '../../domain/charts/drawing/band';
import type { Readout } from './readout';
import { Chart, LinearScale, PointElement } from 'chart.js';
import type { ChartSpec, TraceSpec } from '../../domain/charts/charts';
import type { Points } from '../../domain/charts/drawing/decimate';
import { chartConfiguration, yAxisId } from './chartOptions';
import { laneTop, type PlotArea } from './drawFrame';
import { laneHeight } from '../../domain/charts/drawing/frame';
import { framePlugin, type Frame } from './framePlugin';
import { groupMarks, laneMarks, type MarkGroup } from '../../domain/charts/drawing/marks';
import { drawOverlay } from './overlay';
import { ownerColour } from '../ui/palette';
import { PanelView } from './panelView';
import { ReadoutReader, type ReadoutMode } from '../../domain/charts/drawing/readouts';
import { runPlace } from './drawRuns';
import type { Scene, WatchedRun } from './scene';
import { TraceController, type TracesDataset } from './traceController';

Chart.register(LinearScale, PointElement, TraceController);

/** Charts with more lines than this are drawn less often. */
const manyLines = 20;

/** Crosshair and drag selection, in ms since the start of the run. */
export interface CursorState {
  readonly timeMs: number | undefined;
  readonly selection: { readonly fromMs: number; readonly toMs: number } | undefined;
}

/** Size of a chart in CSS pixels, of `ratio` device pixels each; absent: as on this screen. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
  readonly ratio?: number;
}

const ratioOf = ({ ratio = window.devicePixelRatio || 1 }: ChartSize): number => ratio;

/** One chart on its two canvases. Draws on request, independent of the page. */
export class ChartView {
  readonly #chart: Chart<'traces'>;
  readonly #datasets: (TracesDataset & { data: []; yAxisID: string })[];
  readonly #overlay: CanvasRenderingContext2D;
  readonly #reader = new ReadoutReader();
  #panels: readonly PanelView[] = [];
  #spec: ChartSpec;
  #scene: Scene;
  /** Marks as last drawn, for hit testing. */
  #groups: readonly MarkGroup[] = [];
  /** Layout inputs of the last draw: unchanged, drawing needs no layout. */
  #laidOut = '';
  #overlayEmpty = true;
  /** Guards the draw that chart.js does itself before the first sample. */
  #hasData = false;

  constructor(
    base: HTMLCanvasElement,
    private readonly overlay: HTMLCanvasElement,
    spec: ChartSpec,
    /** Draws phase names: only the first chart does. */
    public namesPhases: boolean,
    scene: Scene,
    size: ChartSize,
  ) {
    const context = overlay.getContext('2d');
    if (!context) throw new Error('This window cannot draw charts: it has no 2D canvas.');
    this.#overlay = context;
    this.#spec = spec;
    this.#scene = scene;
    this.#datasets = spec.panels.map((_, index) => ({
      data: [],
      yAxisID: yAxisId(index),
      traces: [],
      startedMs: scene.startedMs,
      ringGround: undefined,
    }));
    // With its size from the start, chart.js neither measures the page nor lays out twice.
    base.width = size.width;
    base.height = size.height;
    this.#chart = new Chart(base, {
      ...chartConfiguration(spec, scene.palette, this.#datasets, ratioOf(size), () => this.#scene.timeScale),
      plugins: [framePlugin(() => (this.#hasData ? this.#frame() : undefined))],
    });
    this.#resizeOverlay(size);
    this.setSpec(spec);
  }

  /** Applies a new definition of the same chart: new nodes or a changed limit. */
  setSpec(spec: ChartSpec): void {
    this.#spec = spec;
    this.#panels = spec.panels.map(
      (panel, index) => new PanelView(panel, this.#scene.nodes, this.#panels[index]?.range),
    );
    for (const [index, dataset] of this.#datasets.entries()) dataset.traces = this.#panels[index]?.traces ?? [];
  }

  /** Sizes both canvases. The next draw lays out again. */
  resize(size: ChartSize): void {
    this.#chart.options.devicePixelRatio = ratioOf(size);
    this.#chart.resize(size.width, size.height);
    this.#resizeOverlay(size);
    this.#laidOut = '';
  }

  #resizeOverlay(size: ChartSize): void {
    const ratio = ratioOf(size);
    this.overlay.width = Math.round(size.width * ratio);
    this.overlay.height = Math.round(size.height * ratio);
    this.#overlay.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#overlayEmpty = true;
  }

  /** Reads and draws the visible range. */
  draw(scene: Scene): void {
    this.#scene = scene;
    this.#hasData = scene.store.lastTimeMs !== undefined;
    const isBanded = scene.banded.has(this.#spec.id);
    for (const panel of this.#panels) panel.read(scene, this.#bucketMs(), isBanded);
    for (const [index, dataset] of this.#datasets.entries()) {
      dataset.traces = this.#panels[index]?.traces ?? [];
      dataset.startedMs = scene.startedMs;
      dataset.ringGround = this.#spec.gapRings ? scene.palette.surface : undefined;
    }
    const layout = this.#layoutKey(scene);
    const isLaidOut = layout === this.#laidOut;
    if (!isLaidOut) this.#applyLayout(scene);
    if (isLaidOut) this.#chart.draw();
    else this.#chart.update('none');
    this.#laidOut = layout;
  }

  /** Time of one pixel column. */
  #bucketMs(): number {
    const { fromMs, toMs } = this.#scene.range;
    const { left, right } = this.#chart.chartArea;
    return (toMs - fromMs) / Math.max(50, right - left);
  }

  #layoutKey({ range, palette, store, timeScale }: Scene): string {
    const scales = this.#panels.map((panel) => `${panel.range.low} ${panel.range.high}`);
    return [
      range.fromMs,
      range.toMs,
      timeScale.text(range.fromMs),
      palette.textFaint,
      store.lastTimeMs === undefined,
      ...scales,
    ].join(' ');
  }

  #applyLayout(scene: Scene): void {
    const { scales } = this.#chart.options;
    const palette = scene.palette;
    // No scale before the first sample: three placeholder lines.
    const isBare = scene.store.lastTimeMs === undefined;
    for (const [id, options] of Object.entries(scales ?? {})) {
      if (!options) continue;
      const panel = id === 'x' ? undefined : this.#panels[id === 'y' ? 0 : Number(id.slice(1))];
      options.min = panel ? panel.range.low : scene.range.fromMs;
      options.max = panel ? panel.range.high : scene.range.toMs;
      if (options.grid) options.grid.color = isBare && !panel ? 'transparent' : palette.grid;
      if (options.ticks) options.ticks.color = isBare ? 'transparent' : palette.textFaint;
    }
  }

  /**
   * Useful redraw interval while only time advances: four times per pixel column, at least every 4 s; of a
   * chart of many lines, whose drawing costs most, half as often. Figures are still read every second.
   */
  get everySeconds(): number {
    const lines = this.#panels.reduce((sum, panel) => sum + panel.traces.length, 0);
    const [perColumn, most] = lines > manyLines ? [2, 8] : [4, 4];
    return Math.min(most, Math.max(1, Math.floor(this.#bucketMs() / (1000 * perColumn))));
  }

  /** The plot as laid out, all panels together. */
  area(): PlotArea {
    const { left, right, top, bottom } = this.#chart.chartArea;
    const { fromMs, toMs } = this.#scene.range;
    const pxPerMs = (right - left) / (toMs - fromMs);
    return { left, right, top, bottom, xOf: (timeMs) => left + (timeMs - fromMs) * pxPerMs };
  }

  /** Time at a position, in ms since the start of the run, clamped to the visible range. */
  timeAt(x: number): number {
    const { left, right } = this.#chart.chartArea;
    const { fromMs, toMs } = this.#scene.range;
    const share = (x - left) / Math.max(1, right - left);
    return fromMs + Math.min(1, Math.max(0, share)) * (toMs - fromMs);
  }

  /** The mark at a position in the lane, if any. */
  markAt(x: number, y: number): MarkGroup | undefined {
    const top = laneTop(this.area());
    if (y < top - 2 || y > top + laneHeight + 3) return undefined;
    return this.#groups.find((group) => Math.abs(group.drawnX - x) <= 6);
  }

  /** The run whose bar in the lane is at a position, if any. */
  runAt(x: number, y: number): WatchedRun | undefined {
    const area = this.area();
    const top = laneTop(area);
    if (y < top - 2 || y > top + laneHeight + 3) return undefined;
    const found = this.#scene.runs.filter((run) => {
      const place = runPlace(run, this.#scene.startedMs, area);
      return place && x >= place.from && x <= place.to;
    });
    // Of runs at the same time the shortest: a longer one has other places to be clicked.
    return found.sort((a, b) => a.toMs - a.fromMs - (b.toMs - b.fromMs))[0];
  }

  #frame(): Frame {
    const area = this.area();
    const { events, reasons, startedMs } = this.#scene;
    const inView = laneMarks(this.#spec.id, events, reasons, startedMs).filter(
      ({ timeMs }) => area.xOf(timeMs) >= area.left - 1 && area.xOf(timeMs) <= area.right + 1,
    );
    this.#groups = groupMarks(inView, area.xOf);
    return {
      spec: this.#spec,
      scene: this.#scene,
      area,
      groups: this.#groups,
      traces: this.#panels.map((panel) => panel.traces),
      namesPhases: this.namesPhases,
    };
  }

  /** Figures of the card, in the order of header and tooltip. */
  readouts(mode: ReadoutMode): readonly Readout[] {
    const isBanded = this.#scene.banded.has(this.#spec.id);
    return this.#panels.flatMap((panel, index) => {
      const figures = panel.spec.traces
        .filter((trace) => panel.isListed(trace, this.#scene))
        .map((trace) => ({ panel: index, trace, value: this.#reader.value(this.#scene.store, trace, mode) }));
      return isBanded ? bandFigures(figures, mode) : figures;
    });
  }

  /** Draws crosshair and selection. The chart below is not redrawn. */
  drawCursor({ timeMs, selection }: CursorState): void {
    const isNeeded = timeMs !== undefined || selection !== undefined;
    if (!isNeeded && this.#overlayEmpty) return;
    this.#overlay.clearRect(0, 0, this.overlay.width, this.overlay.height);
    this.#overlayEmpty = !isNeeded;
    if (!isNeeded) return;
    const area = this.area();
    const { range, palette, timeScale } = this.#scene;
    const isInView = timeMs !== undefined && timeMs >= range.fromMs && timeMs <= range.toMs;
    drawOverlay(this.#overlay, {
      area,
      cursor: isInView ? { x: area.xOf(timeMs), label: timeScale.text(timeMs), dots: this.#dots(timeMs) } : undefined,
      selection: selection && { from: area.xOf(selection.fromMs), to: area.xOf(selection.toMs) },
      ticks: (this.#chart.scales['x']?.ticks ?? []).map(({ value, label }) => ({
        x: area.xOf(value),
        // `0:30` is 14 px to each side, `Fri 28 Nov` twice as much.
        halfPx: typeof label === 'string' && label.length > 8 ? 28 : 14,
      })),
      palette,
    });
  }

  /** Trace values at a time. */
  #dots(timeMs: number): { y: number; colour: string }[] {
    const { store, startedMs, palette } = this.#scene;
    const mode = { kind: 'cursor', timeMs: startedMs + timeMs } as const;
    return this.#panels.flatMap((panel, index) => {
      const scale = this.#chart.scales[yAxisId(index)];
      if (!scale) return [];
      // A stack layer is drawn above the previous ones.
      let ground = 0;
      const isDrawn = new Set(panel.traces.map(({ spec }) => spec));
      return panel.byFigure.flatMap(({ spec, shown }) => {
        if (!spec.showFigure || !isDrawn.has(spec)) return [];
        const value = (this.#reader.value(store, spec, mode) ?? NaN) + (spec.look === 'stack' ? ground : 0);
        if (spec.look === 'stack') ground = value;
        if (!shown || !(value >= scale.min && value <= scale.max)) return [];
        return [{ y: scale.getPixelForValue(value), colour: ownerColour(spec.owner, palette) }];
      });
    });
  }

  /** The points drawn last of a trace; not of a stack, where they are sums. */
  pointsOf(spec: TraceSpec): Points | undefined {
    if (spec.look === 'stack') return undefined;
    for (const panel of this.#panels) {
      const points = panel.pointsOf(spec);
      if (points) return points;
    }
    return undefined;
  }

  /** Points drawn last, to check whether the chart updates. */
  get pointsDrawn(): number {
    return this.#panels.reduce(
      (sum, panel) => sum + panel.traces.reduce((of, trace) => of + (trace.shown ? trace.points.length : 0), 0),
      0,
    );
  }

  destroy(): void {
    this.#chart.destroy();
  }
}
