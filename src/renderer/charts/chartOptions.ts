import type { ChartConfiguration } from 'chart.js';
import type { ChartSpec } from '../../domain/charts/charts';
import { formatTick } from '../../domain/text/numberFormat';
import { laneHeight } from '../../domain/charts/drawing/frame';
import type { Palette } from '../ui/palette';
import { scaleTicks, stepOf } from '../../domain/charts/drawing/scales';
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

/** Height of the plot in a card, all panels together. */
const plotHeight = (cardHeight: number): number => cardHeight - plotSpace.top - plotSpace.xAxis;

/** `share`: of the plot's height. */
function valueAxisOptions(palette: Palette, weight: number, share: number, isLower: boolean): LinearOptions {
  return {
    type: 'linear',
    position: 'left',
    min: 0,
    max: 1,
    ...(share < 1 ? { stack: 'panels', stackWeight: weight } : {}),
    afterBuildTicks: (axis) => {
      // The axis itself has no height yet when it is laid out for the first time.
      const height = plotHeight(axis.chart.height) * share;
      axis.ticks = scaleTicks({ low: axis.min, high: axis.max }, isLower, height).map((value) => ({ value }));
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
      callback: (value, _index, ticks) => formatTick(Number(value), stepOf(ticks.map((tick) => tick.value))),
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
  const weights = spec.panels.reduce((sum, { weight }) => sum + weight, 0);
  const ofPanel = spec.panels.map((panel, index): [string, LinearOptions] => [
    yAxisId(index),
    valueAxisOptions(palette, panel.weight, panel.weight / weights, index > 0),
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
