import { delaySeries, runDelayMethods } from '../run/runDelay';
import { percentile } from '../series/percentile';
import type { SeriesId } from '../series/series';
import { atAudience, delayOf, most, overRun, percentileOf, type RunMeasure } from '../compare/measureRun';
import type { CurveId } from '../compare/curves';
import type { Grid } from '../compare/measuredRun';
import { formatCount } from '../text/numberFormat';

/** A figure in which a run may be worse than its baseline. */
export interface RegressionRule {
  /** Start of a sentence, e.g. `CPU at 1,000 viewers`. */
  readonly title: string;
  readonly unit: '' | '%' | 'ms';
  readonly better: 'more' | 'less';
  readonly decimals: 0 | 1;
  /** Resolution of the measurement itself. */
  readonly resolution: number;
  /** Allowed regression while the noise is unknown, from the baseline's value. */
  readonly bound: (baseline: number) => number;
  /** Viewer metrics, which do not describe the origin once a tester is at its limit. */
  readonly isViewerMetric: boolean;
  readonly series: SeriesId;
  readonly of: (measure: RunMeasure) => number | undefined;
  /** The time that shows it, Unix ms. */
  readonly timestamp: (measure: RunMeasure) => number | undefined;
}

const share = (percent: number, least: number) => (baseline: number) =>
  Math.max(least, (Math.abs(baseline) * percent) / 100);

/** The figures in which `compared`, a run, its baseline and its repeats, differ. `viewers`: an audience size that both runs had. */
export function regressionRules(viewers: number, compared: readonly RunMeasure[]): readonly RegressionRule[] {
  const peak = (id: CurveId) => (measure: RunMeasure) => timeAt(measure.curves[id], highest);
  const delay = delayOf(compared);
  const full = (measure: RunMeasure): number | undefined =>
    timeAt(measure.audience, (values) => values.findIndex((value) => value >= viewers * 0.975));
  return [
    {
      title: 'The peak viewer count',
      unit: '',
      better: 'more',
      decimals: 0,
      resolution: 1,
      bound: share(1, 1),
      isViewerMetric: true,
      series: 'viewersConnected',
      of: (measure) => measure.connected,
      timestamp: (measure) => timeAt(measure.audience, highest),
    },
    {
      title: 'The limit found',
      unit: '',
      better: 'more',
      decimals: 0,
      resolution: 1,
      bound: share(5, 1),
      isViewerMetric: true,
      series: 'viewersConnected',
      of: ({ view }) => view.limit?.viewers,
      timestamp: ({ view }) => view.limit?.bottleneck?.timeMs,
    },
    {
      title: `CPU at ${formatCount(viewers)} viewers`,
      unit: '%',
      better: 'less',
      decimals: 0,
      resolution: 1,
      bound: share(10, 5),
      isViewerMetric: false,
      series: 'cpuPercent',
      of: (measure) => atAudience(measure, 'cpu', viewers),
      timestamp: full,
    },
    {
      title: 'The longest GC pause',
      unit: 'ms',
      better: 'less',
      decimals: 1,
      resolution: 0.5,
      bound: share(50, 5),
      isViewerMetric: false,
      series: 'gcPauseMs',
      of: (measure) => most(measure, 'gc'),
      timestamp: peak('gc'),
    },
    {
      title: 'The peak share of degraded viewers',
      unit: '%',
      better: 'less',
      decimals: 1,
      resolution: 0.1,
      bound: () => 1,
      isViewerMetric: true,
      series: 'viewersDegraded',
      of: (measure) => most(measure, 'degraded'),
      timestamp: peak('degraded'),
    },
    {
      title: 'Connect p95',
      unit: 'ms',
      better: 'less',
      decimals: 0,
      resolution: 5,
      bound: share(25, 50),
      isViewerMetric: true,
      series: 'connectP95Ms',
      of: ({ connectMs }) => percentile(connectMs, 95),
      timestamp: peak('connect'),
    },
    {
      title: 'Jitter p95',
      unit: 'ms',
      better: 'less',
      decimals: 1,
      resolution: 0.5,
      bound: share(50, 5),
      isViewerMetric: true,
      series: 'jitterP95Ms',
      of: percentileOf(compared, 'jitterMs', 95, (measure) => overRun(measure, 'jitter', 95)),
      timestamp: peak('jitter'),
    },
    {
      title: delay ? `Delay p95 by ${delay.by}` : 'Delay p95',
      unit: 'ms',
      better: 'less',
      decimals: 0,
      resolution: 5,
      bound: share(25, 50),
      isViewerMetric: true,
      series: delaySeries(delay?.distribution ?? runDelayMethods[0].distribution, 'p95'),
      of: (measure) => delay?.of(95)(measure),
      // Over the run, so of no second.
      timestamp: full,
    },
  ];
}

function highest(values: Float64Array): number {
  let best = -1;
  values.forEach((value, slot) => {
    if (value === value && (best < 0 || value > (values[best] ?? -Infinity))) best = slot;
  });
  return best;
}

function timeAt(grid: Grid | undefined, find: (values: Float64Array) => number): number | undefined {
  const slot = grid ? find(grid.values) : -1;
  return grid && slot >= 0 ? grid.fromMs + slot * 1000 : undefined;
}
