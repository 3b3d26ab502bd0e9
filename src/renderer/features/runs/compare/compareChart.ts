import { Chart, LinearScale, PointElement, type ChartConfiguration, type Plugin } from 'chart.js';
import type { ComparedChart, ComparedRun } from '../../../../domain/compare/comparison';
import type { Alignment } from '../../../../domain/compare/curves';
import { formatFigure, formatTick } from '../../../../domain/text/numberFormat';
import { formatAxisTime } from '../../../../domain/text/timeFormat';
import { drawPatched, drawReference } from '../../../charts/drawFrame';
import { areOverlapping, hiddenPixels, labelBox, type Box } from '../../../../domain/charts/drawing/labelPlacement';
import { chartFont, type Palette } from '../../../ui/palette';
import { dashes } from '../../../../domain/charts/drawing/strokes';
import { scaleTicks, stepOf } from '../../../../domain/charts/drawing/scales';
import { pixelMap, TraceController, type DrawnTrace, type TracesDataset } from '../../../charts/traceController';
import {
  axisTicks,
  limitPlace,
  linesOf,
  namesInRows,
  pointsOf,
  valueRange,
} from '../../../../domain/compare/compareScales';
import type { RunStyle } from './runStyles';

Chart.register(LinearScale, PointElement, TraceController);

/** Space around the plot, in CSS pixels: the same in every chart of the row. */
const space = { left: 0, yAxis: 36, right: 20, top: 6, xAxis: 21 } as const;
const tickFont = { size: 10, family: 'Inter, system-ui, sans-serif', lineHeight: 1.2 };

/** Input of a comparison chart. */
export interface CompareScene {
  readonly chart: ComparedChart;
  readonly runs: readonly ComparedRun[];
  readonly looks: readonly RunStyle[];
  readonly alignment: Alignment;
  /** End of the axis, the same in all charts. */
  readonly end: number;
  readonly palette: Palette;
}

/** One overlaid chart on its canvas; the axis is run time in ms since the first viewer, or viewers. */
export class CompareChart {
  readonly #chart: Chart<'traces'>;
  readonly #dataset: TracesDataset & { data: []; yAxisID: string };
  #scene: CompareScene;

  constructor(canvas: HTMLCanvasElement, scene: CompareScene) {
    this.#scene = scene;
    this.#dataset = { data: [], yAxisID: 'y', traces: [], startedMs: 0, ringGround: undefined };
    this.#chart = new Chart(canvas, this.#configuration());
    this.show(scene);
  }

  resize(width: number, height: number): void {
    this.#chart.options.devicePixelRatio = window.devicePixelRatio || 1;
    this.#chart.resize(width, height);
    this.show(this.#scene);
  }

  show(scene: CompareScene): void {
    this.#scene = scene;
    const { chart, alignment, end, palette } = scene;
    const lines = linesOf(chart, alignment);
    this.#dataset.traces = lines.map((_, i) => traceOf(scene, i)).filter((trace) => trace !== undefined);
    const range = valueRange(chart, lines);
    const { scales } = this.#chart.options;
    const [x, y] = [scales?.['x'], scales?.['y']];
    if (x) [x.min, x.max] = [0, end];
    if (y) [y.min, y.max] = [range.low, range.high];
    for (const axis of [x, y]) {
      if (axis?.grid) axis.grid.color = palette.grid;
      if (axis?.ticks) axis.ticks.color = palette.textFaint;
    }
    this.#chart.update('none');
  }

  /** Axis position of a canvas pixel; undefined outside the plot. */
  placeAt(px: number): number | undefined {
    const { left, right } = this.#chart.chartArea;
    if (px < left - 4 || px > right + 4) return undefined;
    const share = Math.min(1, Math.max(0, (px - left) / Math.max(1, right - left)));
    return share * this.#scene.end;
  }

  /** Pixel of an axis position, with the plot's top and bottom. */
  pixelOf(place: number): { readonly x: number; readonly top: number; readonly bottom: number } {
    const { left, right, top, bottom } = this.#chart.chartArea;
    return { x: left + ((right - left) * place) / this.#scene.end, top, bottom };
  }

  destroy(): void {
    this.#chart.destroy();
  }

  #configuration(): ChartConfiguration<'traces'> {
    return {
      type: 'traces',
      data: { datasets: [this.#dataset] },
      plugins: [this.#frame()],
      options: {
        animation: false,
        responsive: false,
        maintainAspectRatio: false,
        events: [],
        clip: 2,
        layout: {
          autoPadding: false,
          padding: { left: space.left, right: space.right, top: space.top, bottom: 0 },
        },
        scales: {
          x: {
            type: 'linear',
            position: 'bottom',
            afterBuildTicks: (axis) => {
              const width = axis.chart.width - space.yAxis - space.right;
              axis.ticks = axisTicks(axis.max, this.#scene.alignment, width).map((value) => ({ value }));
            },
            afterFit: (axis) => {
              axis.height = space.xAxis;
            },
            border: { display: false },
            grid: { drawTicks: false },
            ticks: {
              font: tickFont,
              padding: 6,
              autoSkip: false,
              maxRotation: 0,
              callback: (value) =>
                this.#scene.alignment === 'time'
                  ? formatAxisTime(Number(value))
                  : formatFigure(Number(value), 'integer'),
            },
          },
          y: {
            type: 'linear',
            position: 'left',
            afterBuildTicks: (axis) => {
              axis.ticks = scaleTicks({ low: axis.min, high: axis.max }, false).map((value) => ({ value }));
            },
            afterFit: (axis) => {
              axis.width = space.yAxis;
            },
            border: { display: false },
            grid: { drawTicks: false },
            ticks: {
              font: tickFont,
              padding: 5,
              autoSkip: false,
              maxRotation: 0,
              callback: (value, _index, ticks) => formatTick(Number(value), stepOf(ticks.map((tick) => tick.value))),
            },
          },
        },
      },
    };
  }

  /** The limit across the plot, and a dotted line where each run first reached its own. */
  #frame(): Plugin<'traces'> {
    return {
      id: 'compareFrame',
      afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
        const { chart, runs, alignment, palette } = this.#scene;
        const [xScale, yScale] = [scales['x'], scales['y']];
        if (!xScale || !yScale) return;
        ctx.save();
        ctx.font = chartFont;
        const map = pixelMap(xScale, yScale, 0);
        const met = runs
          .flatMap((run) => {
            const place = limitPlace(run, alignment);
            return place === undefined ? [] : [{ run, place, x: xScale.getPixelForValue(place) }];
          })
          .sort((a, b) => a.x - b.x);
        const names = met.map(({ run, place, x }) => {
          const at = alignment === 'viewers' ? formatFigure(place, 'integer') : formatAxisTime(place);
          const text = `${run.letter} ${at}`;
          return { text, x, width: ctx.measureText(text).width };
        });
        const limitY = chart.limit === undefined ? -Infinity : yScale.getPixelForValue(chart.limit);
        // Above a low limit and its name.
        const lowest = Math.abs(limitY - chartArea.bottom) < 32 ? limitY - 22 : chartArea.bottom - 10;
        const placed = namesInRows(names, chartArea).map((name) => ({
          ...name,
          middle: lowest - 14 * name.row,
        }));
        // The name of the limit goes where none of these is.
        const hiddenNames = (box: Box): number =>
          placed.filter(({ left, width, middle }) => areOverlapping(box, labelBox({ x: left, middle }, width))).length *
          (chartArea.right - chartArea.left);
        if (chart.limit !== undefined)
          drawReference(
            ctx,
            {
              kind: 'limit',
              value: chart.limit,
              label: `limit ${chart.limit} ${chart.unit}`,
              labelled: 'above',
            },
            yScale.getPixelForValue(chart.limit),
            chartArea,
            palette,
            (place, width) => {
              const box = labelBox(place, width);
              return hiddenPixels(this.#dataset.traces, map, box) + hiddenNames(box);
            },
          );
        for (const { x } of met) {
          ctx.strokeStyle = palette.textMuted;
          ctx.lineWidth = 1;
          ctx.setLineDash(dashes.fact);
          ctx.beginPath();
          ctx.moveTo(Math.round(x) + 0.5, chartArea.top);
          ctx.lineTo(Math.round(x) + 0.5, chartArea.bottom);
          ctx.stroke();
          ctx.setLineDash([]);
        }
        for (const { text, left, middle } of placed) drawPatched(ctx, text, left, middle, palette.text, palette);
        ctx.restore();
      },
    };
  }
}

function traceOf({ chart, looks, alignment, palette }: CompareScene, i: number): DrawnTrace | undefined {
  const line = linesOf(chart, alignment)[i];
  const look = looks[i];
  if (!line || !look || line.x.length === 0) return undefined;
  return {
    spec: {
      key: String(i),
      label: '',
      owner: { kind: 'neutral' },
      look: 'line',
      inputs: [],
      combine: 'firstMeasured',
      factor: 1,
      onlyWhenMeasured: false,
      showFigure: false,
      extreme: 'highest',
    },
    points: pointsOf(line),
    base: undefined,
    colour: look.colour(palette),
    dash: look.dash,
    alpha: 1,
    shown: true,
  };
}
