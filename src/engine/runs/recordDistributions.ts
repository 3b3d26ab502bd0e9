import { percentileValues } from '../../domain/distribution/percentileValues';
import { audienceId } from '../../domain/model/audience';
import { audiencesWithPercentiles } from '../../domain/plan/audiences';
import { samplesOf } from '../base/samples';
import type { SavedHistogram } from '../store';
import type { RunData } from './runData';

/** Percentiles of a second are shown in its middle. */
const middleMs = 500;

/**
 * Saves distributions of whole seconds, and with them the percentiles of audiences that have more than one tester or
 * are several; those of others are the percentiles of their tester.
 */
export function recordDistributions(data: RunData, rows: readonly SavedHistogram[]): void {
  const { plan, deps, output } = data;
  if (rows.length === 0) return;
  const ids = new Set(audiencesWithPercentiles(plan).map(({ id }) => id));
  const samples = rows.flatMap(({ timeMs, audience, distribution, histogram }) => {
    const id = audienceId(audience - 1);
    return ids.has(id) ? samplesOf(timeMs + middleMs, id, percentileValues({ [distribution]: histogram })) : [];
  });
  try {
    deps.writer.histograms(rows);
  } catch (error) {
    data.problem((error as Error).message);
  }
  data.save(samples);
  if (samples.length > 0) output.emit({ kind: 'samples', samples });
}
