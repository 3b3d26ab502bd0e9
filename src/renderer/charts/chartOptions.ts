import type { ChartConfiguration } from 'chart.js';
import type { ChartSpec } from '../../domain/charts/charts';
import { formatTick } from '../../domain/text/numberFormat';
import { laneHeight } from '../../domain/charts/drawing/frame';
import type { Palette } from '../ui/palette';
import { scaleTicks } from '../../domain/charts/drawing/scales';
import type { TimeScale } from '../../domain/charts/drawing/timeScale';
// Declares the chart type 'traces'.
import type {} from './traceController';

/** Space around the plot, in CSS pixels: the same in every card, so that time axes align. */
export const plotSpace = { left: 12, yAxis: 36, right: 24, top: laneHeight + 5, xAxis: 21 } as const;

/** Plot width of a card, guaranteed by the layout. */
export function plotWidth(cardWidth: number): number {
  return Math.max(1, cardWidth - plotSpace.left - plotSpace.yAxis - plotSpace.right);
}

type Scales = NonNullable<NonNullable<ChartConfiguration<'traces'>['options']>['scales']>;
type LinearOptions = Extract<NonNullable<Scales[string]>, { type?: 'linear' }>;

const tickFont = { size: 10, family: 'Inter, system-ui, sans-serif', lineHeight: 1.2 };

/** Id of a panel's scale. */
export const yAxisId = (panel: number): string => (panel === 0 ? 'y' : `y${panel}`);

function timeAxisOptions(palette: Palette, timeScale: () => TimeScale): LinearOptions {
  let labels: ReadonlyMap<number, string> = new Map();
  return {
    type: 'linear',
    position: 'bottom',
    min: 0,
    max: 60_000,
    afterBuildTicks: (axis) => {
      const ticks = timeScale().ticks(axis.min, axis.max, plotWidth(axis.chart.width));
      labels = new Map(ticks.map(({ timeMs, label }) => [timeMs, label]));
      axis.ticks = ticks.map(({ timeMs }) => ({ value: timeMs }));
    },
    afterFit: (axis) => {
      axis.height = plotSpace.xAxis;
    },
    border: { display: false },
    grid: { color: palette.grid, drawTicks: false },
    ticks: {
      color: palette.textFaint,
      font: tickFont,
      padding: 6,
      autoSkip: false,
      maxRotation: 0,
      callback: (value) => labels.get(Number(value)) ?? '',
    },
  };
}

function valueAxisOptions(palette: Palette, weight: number, isLower: boolean, isStacked: boolean): LinearOptions {
  return {
    type: 'linear',
    position: 'left',
    min: 0,
    max: 1,
    ...(isStacked ? { stack: 'panels', stackWeight: weight } : {}),
    afterBuildTicks: (axis) => {
      axis.ticks = scaleTicks({ low: axis.min, high: axis.max }, isLower, axis.height).map((value) => ({ value }));
    },
    afterFit: (axis) => {
      axis.width = plotSpace.yAxis;
    },
    border: { display: false },
    grid: { color: palette.grid, drawTicks: false },
    ticks: {
      color: palette.textFaint,
      font: tickFont,
      padding: 5,
      autoSkip: false,
      maxRotation: 0,
      callback(value) {
        return formatTick(Number(value), (this.max - this.min) / 2);
      },
    },
  };
}

/** Configuration of a card's chart: one dataset per panel, all unused features disabled for speed. */
export function chartConfiguration(
  spec: ChartSpec,
  palette: Palette,
  datasets: ChartConfiguration<'traces'>['data']['datasets'],
  devicePixelRatio: number,
  timeScale: () => TimeScale,
): ChartConfiguration<'traces'> {
  const isStacked = spec.panels.length > 1;
  const ofPanel = spec.panels.map((panel, index): [string, LinearOptions] => [
    yAxisId(index),
    valueAxisOptions(palette, panel.weight, index > 0, isStacked),
  ]);
  return {
    type: 'traces',
    data: { datasets },
    options: {
      devicePixelRatio,
      animation: false,
      responsive: false,
      maintainAspectRatio: false,
      events: [],
      clip: 2,
      layout: {
        autoPadding: false,
        padding: { left: plotSpace.left, right: plotSpace.right, top: plotSpace.top, bottom: 0 },
      },
      // chart.js lays out a stack bottom-up.
      scales: { x: timeAxisOptions(palette, timeScale), ...Object.fromEntries([...ofPanel].reverse()) },
    },
  };
}
