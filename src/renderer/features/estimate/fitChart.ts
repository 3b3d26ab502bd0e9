import { predict } from '../../../domain/estimate/ceiling';
import type { ResourceEstimate } from '../../../domain/estimate/estimate';

/** A small chart of a fit, in px: measurements and beside them the projection, each with its own scales. */
export interface FitPicture {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The line through them. */
  readonly line: string;
  /** Absent without a threshold or growth towards it. */
  readonly future?: {
    /** End of the measured range. */
    readonly measuredX: number;
    readonly solid: string;
    readonly dotted: string;
    /** The interval around the dotted line. */
    readonly band: string;
    readonly thresholdY: number;
    /** Interval in which the threshold may be reached. */
    readonly fromX: number;
    readonly atX: number;
    readonly toX: number;
  };
}

export interface FitChartSize {
  readonly width: number;
  readonly height: number;
}

const points = (all: ReadonlyArray<readonly [number, number]>): string =>
  all.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** Space above the threshold and beyond the ceiling. */
const headroom = 1.2;
/** An interval is clipped beyond this multiple of the ceiling. */
const furthest = 2.2;
const bandSteps = 24;

export function fitPicture(resource: ResourceEstimate, seen: FitChartSize, future: FitChartSize): FitPicture {
  const { line } = resource;
  const largest = Math.max(...resource.points.map(({ viewers }) => viewers));
  const most = Math.max(...resource.points.map(({ value }) => value), line.idle + line.slope * largest);
  const least = Math.min(0, ...resource.points.map(({ value }) => value));
  const scale = (size: FitChartSize, right: number, top: number) => ({
    x: (viewers: number): number => (viewers / right) * size.width,
    y: (value: number): number => size.height - ((value - least) / (top - least || 1)) * size.height,
  });
  const near = scale(seen, largest * 1.08, most * 1.1 || 1);
  const at = (viewers: number): number => line.idle + line.slope * viewers;
  const drawn = {
    points: resource.points.map(({ viewers, value }) => ({ x: near.x(viewers), y: near.y(value) })),
    line: points([
      [near.x(0), near.y(at(0))],
      [near.x(largest * 1.08), near.y(at(largest * 1.08))],
    ]),
  };
  const { ceiling, threshold } = resource;
  if (!ceiling || !threshold) return drawn;
  const right = Math.max(largest * 1.1, Math.min(ceiling.high ?? Infinity, ceiling.value * furthest) * 1.05);
  const top = threshold.value * headroom;
  const far = scale(future, right, top);
  const clipped = (value: number): number => Math.max(-2, Math.min(future.height + 2, far.y(value)));
  const steps = Array.from({ length: bandSteps + 1 }, (_, i) => largest + ((right - largest) * i) / bandSteps);
  const bounds = steps.map((viewers) => ({ viewers, ...predict({ ...line, scatter: 0 }, viewers, largest) }));
  const upper = bounds.map(({ viewers, high }) => [far.x(viewers), clipped(high)] as const);
  const lower = bounds.map(({ viewers, low }) => [far.x(viewers), clipped(low)] as const).reverse();
  return {
    ...drawn,
    future: {
      measuredX: far.x(largest),
      solid: points([
        [far.x(0), far.y(at(0))],
        [far.x(largest), far.y(at(largest))],
      ]),
      dotted: points([
        [far.x(largest), far.y(at(largest))],
        [far.x(right), clipped(at(right))],
      ]),
      band: `${points([...upper, ...lower])}Z`,
      thresholdY: far.y(threshold.value),
      fromX: far.x(ceiling.low),
      atX: far.x(ceiling.value),
      toX: far.x(Math.min(right, ceiling.high ?? right)),
    },
  };
}
