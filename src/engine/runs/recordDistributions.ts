import { Histogram } from '../../domain/distribution/histogram';
import { percentileValues } from '../../domain/distribution/percentileValues';
import { audienceId } from '../../domain/model/audience';
import type { Plan } from '../../domain/model/plan';
import { audiencesWithPercentiles } from '../../domain/plan/audiences';
import type { Sample } from '../../domain/series/series';
import { samplesOf } from '../base/samples';
import type { SavedHistogram } from '../store';
import { displayedDistribution, originOfAudience } from './displayed';
import type { RunData } from './runData';

/** Percentiles of a second are shown in its middle. */
const middleMs = 500;

/**
 * Saves distributions of whole seconds, and with them the percentiles of audiences that have more than one tester or
 * are several; those of others are the percentiles of their tester. Those of displayed frames are of their origin too.
 */
export function recordDistributions(data: RunData, rows: readonly SavedHistogram[]): void {
  const { plan, deps, output } = data;
  if (rows.length === 0) return;
  const ids = new Set(audiencesWithPercentiles(plan).map(({ id }) => id));
  const samples = rows.flatMap(({ timeMs, audience, distribution, histogram }) => {
    const id = audienceId(audience - 1);
    return ids.has(id) ? samplesOf(timeMs + middleMs, id, percentileValues({ [distribution]: histogram })) : [];
  });
  samples.push(...displayedSamples(plan, rows));
  try {
    deps.writer.histograms(rows);
  } catch (error) {
    data.problem((error as Error).message);
  }
  data.save(samples);
  if (samples.length > 0) output.emit({ kind: 'samples', samples });
}

/** The percentiles of the frames displayed in these seconds, of each origin over its audiences. */
export function displayedSamples(plan: Plan, rows: readonly SavedHistogram[]): readonly Sample[] {
  const displayed = rows.filter(({ distribution }) => distribution === displayedDistribution);
  const seconds = new Map<string, { readonly timeMs: number; readonly origin: string; readonly all: Histogram[] }>();
  for (const { timeMs, audience, histogram } of displayed) {
    const origin = originOfAudience(plan, audience - 1);
    const key = `${timeMs} ${origin}`;
    const known = seconds.get(key) ?? { timeMs, origin, all: [] };
    seconds.set(key, known);
    known.all.push(histogram);
  }
  return [...seconds.values()].flatMap(({ timeMs, origin, all }) => {
    const histogram = Histogram.merged(all);
    return samplesOf(
      timeMs + middleMs,
      origin,
      histogram ? percentileValues({ [displayedDistribution]: histogram }) : {},
    );
  });
}
