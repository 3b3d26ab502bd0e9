import { percentile } from '../percentile';
import type { SeriesId } from '../series';
import { atAudience, most, overRun, type RunMeasure } from '../compare/measureRun';
import type { CurveId } from '../compare/curves';
import type { Grid } from '../compare/measuredRun';

/** A figure by which a run may be worse than its baseline. */
export interface RegressionRule {
  /** Begins a sentence, e.g. `CPU at 1,000 viewers`. */
  readonly title: string;
  readonly unit: '' | '%' | 'ms';
  readonly better: 'more' | 'less';
  readonly decimals: 0 | 1;
  /** What the measurement itself can tell. */
  readonly resolution: number;
  /** How much worse is still allowed where the noise is unknown, from the baseline's value. */
  readonly bound: (baseline: number) => number;
  /** Viewers' own figures, which say nothing of the origin once a tester is at its limit. */
  readonly isMadeByViewers: boolean;
  readonly series: SeriesId;
  readonly of: (measure: RunMeasure) => number | undefined;
  /** The moment that shows it, Unix ms. */
  readonly moment: (measure: RunMeasure) => number | undefined;
}

const count = (value: number): string => value.toLocaleString('en-US');
const share = (percent: number, least: number) => (baseline: number) =>
  Math.max(least, (Math.abs(baseline) * percent) / 100);

/** What a run of the same test is held against. `viewers`: an audience that both have had. */
export function regressionRules(viewers: number): readonly RegressionRule[] {
  const peak = (id: CurveId) => (measure: RunMeasure) => momentOf(measure.curves[id], highest);
  const full = (measure: RunMeasure): number | undefined =>
    momentOf(measure.audience, (values) => values.findIndex((value) => value >= viewers * 0.975));
  return [
    {
      title: 'The largest audience connected',
      unit: '',
      better: 'more',
      decimals: 0,
      resolution: 1,
      bound: share(1, 1),
      isMadeByViewers: true,
      series: 'viewersConnected',
      of: (measure) => measure.connected,
      moment: (measure) => momentOf(measure.audience, highest),
    },
    {
      title: 'The limit found',
      unit: '',
      better: 'more',
      decimals: 0,
      resolution: 1,
      bound: share(5, 1),
      isMadeByViewers: true,
      series: 'viewersConnected',
      of: ({ view }) => view.limit?.viewers,
      moment: ({ view }) => view.limit?.gaveOut?.timeMs,
    },
    {
      title: `CPU at ${count(viewers)} viewers`,
      unit: '%',
      better: 'less',
      decimals: 0,
      resolution: 1,
      bound: share(10, 5),
      isMadeByViewers: false,
      series: 'cpuPercent',
      of: (measure) => atAudience(measure, 'cpu', viewers),
      moment: full,
    },
    {
      title: 'The longest GC pause',
      unit: 'ms',
      better: 'less',
      decimals: 1,
      resolution: 0.5,
      bound: share(50, 5),
      isMadeByViewers: false,
      series: 'gcPauseMs',
      of: (measure) => most(measure, 'gc'),
      moment: peak('gc'),
    },
    {
      title: 'The largest share of degraded viewers',
      unit: '%',
      better: 'less',
      decimals: 1,
      resolution: 0.1,
      bound: () => 1,
      isMadeByViewers: true,
      series: 'viewersDegraded',
      of: (measure) => most(measure, 'degraded'),
      moment: peak('degraded'),
    },
    {
      title: 'Connect p95',
      unit: 'ms',
      better: 'less',
      decimals: 0,
      resolution: 5,
      bound: share(25, 50),
      isMadeByViewers: true,
      series: 'connectP95Ms',
      of: ({ connectMs }) => percentile(connectMs, 95),
      moment: peak('connect'),
    },
    {
      title: 'Jitter p95',
      unit: 'ms',
      better: 'less',
      decimals: 1,
      resolution: 0.5,
      bound: share(50, 5),
      isMadeByViewers: true,
      series: 'jitterP95Ms',
      of: (measure) => overRun(measure, 'jitter', 95),
      moment: peak('jitter'),
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

function momentOf(grid: Grid | undefined, find: (values: Float64Array) => number): number | undefined {
  const slot = grid ? find(grid.values) : -1;
  return grid && slot >= 0 ? grid.fromMs + slot * 1000 : undefined;
}
