import { formatFigure } from '../text/numberFormat';
import { rowPosition, type DistributionOverTime, type DistributionStep } from './heatmap';

/** A heatmap in pixels, for the window and the report. */
export interface HeatmapShapes {
  readonly cells: ReadonlyArray<{
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly opacity: number;
  }>;
  /** SVG paths of the percentiles over time, broken where nothing was measured. */
  readonly lines: ReadonlyArray<{ readonly percentile: HeatmapLine; readonly path: string }>;
  /** Labels of the value axis, by the pixel of their line. */
  readonly ticks: ReadonlyArray<{ readonly y: number; readonly text: string }>;
}

/** The percentiles drawn over the cells, by which values are bad. */
const heatmapLines = { high: ['p50', 'p95', 'p99'], low: ['p50', 'p5'] } as const;
export type HeatmapLine = (typeof heatmapLines)['high' | 'low'][number];

interface Size {
  readonly width: number;
  readonly height: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Which values are bad. */
  readonly bad: 'high' | 'low';
}

/** At least this many rows (2 octaves), so that a constant value is not drawn as noise. */
const minRows = 16;
/** The lightest cell that has a value is still visible. */
const minOpacity = 0.12;
const minTickPx = 22;

/**
 * Cells of equal relative width; the darker, the larger the share of the step's values. Values of 0 or less have a row
 * of their own at the bottom.
 */
export function heatmapShapes({ steps, stepMs }: DistributionOverTime, size: Size): HeatmapShapes {
  const { width, height, fromMs, toMs, bad } = size;
  const used = steps.flatMap(({ rows }) => rows.map(([row]) => row));
  const hasZero = steps.some(({ zero }) => zero > 0);
  if (steps.length === 0) return { cells: [], lines: [], ticks: [] };
  const [least, most] = used.length > 0 ? [Math.min(...used), Math.max(...used) + 1] : [0, 1];
  const spare = Math.max(0, Math.ceil((minRows - (most - least)) / 2));
  const [low, high] = [least - spare, most + spare];
  const rowPx = height / (high - low + (hasZero ? 1 : 0));
  const yOfPosition = (position: number): number => (high - position) * rowPx;
  const yOf = (value: number): number =>
    value > 0 ? yOfPosition(Math.max(low, rowPosition(value))) : height - rowPx / 2;
  const xOf = (timeMs: number): number => ((timeMs - fromMs) / (toMs - fromMs)) * width;
  const columnPx = Math.max(1, (stepMs / (toMs - fromMs)) * width);
  const cells = steps.flatMap(({ timeMs, count, zero, rows }) => {
    const x = xOf(timeMs);
    const cell = (y: number, of: number) => ({
      ...{ x, y, width: columnPx, height: rowPx },
      opacity: minOpacity + (1 - minOpacity) * Math.sqrt(of / count),
    });
    return [
      ...rows.map(([row, of]) => cell(yOfPosition(row + 1), of)),
      ...(zero > 0 ? [cell(height - rowPx, zero)] : []),
    ];
  });
  const lines = heatmapLines[bad].map((percentile) => ({
    percentile,
    path: pathOf(steps, stepMs, (step) => [xOf(step.timeMs) + columnPx / 2, yOf(step[percentile])]),
  }));
  return { cells, lines, ticks: ticksOf(low, high, hasZero ? height - rowPx / 2 : undefined, yOf) };
}

function pathOf(
  steps: readonly DistributionStep[],
  stepMs: number,
  at: (step: DistributionStep) => readonly [number, number],
): string {
  let beforeMs = -Infinity;
  return steps
    .map((step) => {
      const [x, y] = at(step);
      const command = step.timeMs - beforeMs > 2 * stepMs ? 'M' : 'L';
      beforeMs = step.timeMs;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

/** Round values 1, 2 and 5 times a power of ten, as many as fit. */
function ticksOf(
  low: number,
  high: number,
  zeroY: number | undefined,
  yOf: (value: number) => number,
): HeatmapShapes['ticks'] {
  const candidates = Array.from({ length: 40 }, (_, place) => 10 ** (place - 15)).flatMap((power) =>
    [1, 2, 5].map((digit) => digit * power),
  );
  const ticks: Array<{ y: number; text: string }> = zeroY === undefined ? [] : [{ y: zeroY, text: '0' }];
  for (const value of candidates) {
    const position = rowPosition(value);
    if (position < low || position > high) continue;
    const y = yOf(value);
    if (ticks.every((tick) => Math.abs(tick.y - y) >= minTickPx))
      ticks.push({ y, text: value >= 1 ? formatFigure(value, 'integer') : String(Number(value.toPrecision(1))) });
  }
  return ticks;
}
