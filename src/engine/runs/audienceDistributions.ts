import { figuresOfHistogram } from '../../domain/distribution/heatmap';
import { Histogram } from '../../domain/distribution/histogram';
import type { Distributions } from '../../domain/distribution/percentileValues';
import type { DistributionFigures } from '../../domain/model/run';
import { distributionIds, type DistributionId } from '../../domain/series/distributions';
import type { SavedHistogram } from '../store';

/** How long a second waits for the reports of all testers; later ones are merged into what is saved of it. */
const waitMs = 3000;

interface TesterTime {
  /** Time of its first report. Its seconds start there: reports that are a little early or late stay one a second. */
  readonly firstMs: number;
  secondMs: number;
  heardMs: number;
}

/**
 * The distributions of a run's audiences, second by second, over all of their testers. Reports of different testers are
 * of the same second when they begin in it.
 */
export class AudienceDistributions {
  private readonly pending = new Map<string, SavedHistogram>();
  private readonly testers = new Map<unknown, TesterTime>();
  private readonly overRun = new Map<
    string,
    { audience: number; distribution: DistributionId; histogram: Histogram; seconds: number }
  >();

  /** Takes what a job of an audience (its place in the plan, from 1) reported. Each report may be passed once only. */
  take(tester: unknown, audience: number, timeMs: number, distributions: Distributions, nowMs: number): void {
    const known = this.testers.get(tester) ?? { firstMs: timeMs, secondMs: 0, heardMs: nowMs };
    this.testers.set(tester, known);
    const secondMs = Math.floor(known.firstMs / 1000) * 1000 + Math.round((timeMs - known.firstMs) / 1000) * 1000;
    known.secondMs = Math.max(known.secondMs, secondMs);
    known.heardMs = nowMs;
    for (const distribution of distributionIds) {
      const histogram = distributions[distribution];
      if (!histogram) continue;
      const of = { audience, distribution };
      const key = `${secondMs} ${audience} ${distribution}`;
      const isFurther = !this.pending.has(key);
      add(this.pending, key, { timeMs: secondMs, ...of }, histogram);
      const overRun = add(this.overRun, `${audience} ${distribution}`, { ...of, seconds: 0 }, histogram);
      if (isFurther) overRun.seconds += 1;
    }
  }

  /** Removes and returns the seconds that all testers have reported, or that have waited long enough. */
  due(nowMs: number): SavedHistogram[] {
    const reporting = [...this.testers.values()].filter(({ heardMs }) => nowMs - heardMs < waitMs);
    const completeMs = Math.min(...reporting.map(({ secondMs }) => secondMs));
    return this.remove(({ timeMs }) => timeMs <= completeMs || nowMs - timeMs > waitMs + 1000);
  }

  /** Removes and returns what is left. */
  rest(): SavedHistogram[] {
    return this.remove(() => true);
  }

  /** Over the run so far: of each audience if there are several, and of all together. */
  figures(): DistributionFigures[] {
    const all = [...this.overRun.values()];
    const hasSeveral = new Set(all.map(({ audience }) => audience)).size > 1;
    const each = hasSeveral
      ? all.map(({ seconds, ...one }) => ({
          ...figuresOfHistogram(one.distribution, one.histogram, one.audience),
          seconds,
        }))
      : [];
    const together = distributionIds.flatMap((distribution) => {
      const measured = all.filter((one) => one.distribution === distribution);
      const histogram = Histogram.merged(measured.map((one) => one.histogram));
      // Of several audiences those of the one that has the most: they measure at the same time.
      const seconds = Math.max(...measured.map((one) => one.seconds));
      return histogram ? [{ ...figuresOfHistogram(distribution, histogram), seconds }] : [];
    });
    return [...together, ...each];
  }

  private remove(isDue: (row: SavedHistogram) => boolean): SavedHistogram[] {
    const due = [...this.pending].filter(([, row]) => isDue(row));
    for (const [key] of due) this.pending.delete(key);
    return due.map(([, row]) => row);
  }
}

function add<Of extends object>(
  to: Map<string, Of & { readonly histogram: Histogram }>,
  key: string,
  of: Of,
  histogram: Histogram,
): Of & { readonly histogram: Histogram } {
  const known = to.get(key) ?? { ...of, histogram: new Histogram() };
  known.histogram.merge(histogram);
  to.set(key, known);
  return known;
}
