import type { SeriesId } from '../../domain/series/series';
import type { PullSample } from './driver';

const medians: ReadonlySet<string> = new Set(['simulatedDownQueueP50Ms', 'simulatedUpQueueP50Ms']);
const added: ReadonlySet<string> = new Set([
  'viewersOverTcp',
  'viewersRelayed',
  'retransmittedPacketsPerSecond',
  'retransmittedMbps',
  'fecPacketsPerSecond',
  'fecMbps',
  ...['Down', 'Up'].flatMap((way) =>
    ['Mbps', 'LimitMbps', 'RandomDropsPerSecond', 'BurstDropsPerSecond', 'QueueDropsPerSecond'].map(
      (what) => `simulated${way}${what}`,
    ),
  ),
]);

/** What is merged of a job. */
type Part = Pick<PullSample, 'values' | 'connected' | 'packetsPerSecond' | 'lossPercent'>;

/**
 * Figures of several jobs, or of the parts of one, as one. What simulated networks did and counts of viewers are added;
 * medians of simulated queues are weighted by number of viewers; of other figures the highest is kept.
 */
export function mergedValues(parts: readonly Part[]): PullSample['values'] {
  const values: Partial<Record<SeriesId, number>> = {};
  const names = new Set(parts.flatMap((part) => Object.keys(part.values))) as Set<SeriesId>;
  for (const name of names) {
    const all = parts.map((part) => ({ value: part.values[name], weight: part.connected }));
    const measured = all.flatMap(({ value }) => (value === undefined ? [] : [value]));
    if (measured.length === 0) continue;
    values[name] =
      added.has(name) || name.startsWith('viewersOfLayer:')
        ? measured.reduce((total, value) => total + value, 0)
        : medians.has(name)
          ? weighted(all)
          : Math.max(...measured);
  }
  const lossBefore = weighted(byPackets(parts, ({ values: { lossBeforeRepairPercent } }) => lossBeforeRepairPercent));
  if (lossBefore !== undefined) values.lossBeforeRepairPercent = lossBefore;
  return values;
}

/** Loss after repair, weighted by packets; undefined where it was not measured. */
export function mergedLoss(parts: readonly Part[]): number | undefined {
  return weighted(byPackets(parts, ({ lossPercent }) => lossPercent));
}

function byPackets(
  parts: readonly Part[],
  pick: (part: Part) => number | undefined,
): ReadonlyArray<{ value: number | undefined; weight: number }> {
  return parts.map((part) => ({ value: pick(part), weight: part.packetsPerSecond ?? 0 }));
}

function weighted(parts: ReadonlyArray<{ value: number | undefined; weight: number }>): number | undefined {
  const measured = parts.flatMap(({ value, weight }) => (value === undefined ? [] : [{ value, weight }]));
  const [first] = measured;
  if (!first) return undefined;
  const total = measured.reduce((sum, { weight }) => sum + weight, 0);
  return total > 0 ? measured.reduce((sum, { value, weight }) => sum + value * weight, 0) / total : first.value;
}
