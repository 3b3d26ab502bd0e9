import { Histogram } from '../../../src/domain/distribution/histogram';
import { arrivalDistributions, type DistributionId } from '../../../src/domain/series/distributions';
import type { SavedHistogram } from '../../../src/engine/store';

/** Plausible quantile functions of figures of WHEP viewers; `badness` 0..1 spreads them. */
const quantileOf: ReadonlyMap<DistributionId, (share: number, badness: number) => number> = new Map([
  ['jitterMs', (share, badness) => (1.5 + 6 * badness) * Math.exp(1.1 * normal(share))],
  ['rttMs', (share, badness) => (0.4 + 2 * badness) * Math.exp(0.8 * normal(share))],
  ['viewerLossPercent', (share, badness) => (share < 0.98 - badness / 4 ? 0 : 40 * (share - 0.7) ** 3)],
  ['frameRate', (share, badness) => Math.round(25 + 0.5 * normal(share) - (share < badness / 10 ? 6 : 0))],
  ['viewerBitrateKbps', (share, badness) => 168 + (4 + 20 * badness) * normal(share)],
  ['stallMs', (share) => 500 + 800 * share ** 2],
  ['freezeMs', (share) => 190 + 800 * share ** 2],
  ['senderReportDelayMs', (share, badness) => 2 + (2 + 8 * badness) * Math.exp(0.9 * normal(share))],
]);

/** Approximate quantiles of the standard normal distribution (logistic). */
const normal = (share: number): number => Math.log(share / (1 - share)) / 1.702;

/** Those that every viewer reports each second. */
const perSecond = [
  ...(['jitterMs', 'rttMs', 'viewerLossPercent', 'frameRate', 'viewerBitrateKbps', 'senderReportDelayMs'] as const),
];
const arrivals = arrivalDistributions.filter((id) => id !== 'dnsMs' && id !== 'tlsMs' && id !== 'turnAllocationMs');

/** So many quantiles of each distribution are drawn from: as many as a second of 3,000 viewers has buckets. */
const quantiles = 256;
const tables = new Map<string, Float64Array>();

function tableOf(id: DistributionId, badness: number): Float64Array {
  const key = `${id} ${badness}`;
  const known = tables.get(key);
  if (known) return known;
  const valueOf = quantileOf.get(id) ?? ((share: number) => 30 * Math.exp(normal(share)));
  const made = Float64Array.from({ length: quantiles }, (_, i) => valueOf((i + 0.5) / quantiles, badness));
  tables.set(key, made);
  return made;
}

/** The histograms of one second of an audience of `viewers`, of which `arriving` have just connected. */
export function histogramsOf(
  { timeMs, viewers, arriving, badness }: { timeMs: number; viewers: number; arriving: number; badness: number },
  random: () => number,
): SavedHistogram[] {
  const row = (distribution: DistributionId, count: number): SavedHistogram[] => {
    const counts = new Uint16Array(quantiles);
    for (let i = 0; i < count; i += 1) counts[Math.floor(quantiles * random())]! += 1;
    const histogram = new Histogram();
    tableOf(distribution, badness).forEach((value, i) => histogram.add(value, counts[i]));
    return histogram.count > 0 ? [{ timeMs, audience: 1, distribution, histogram }] : [];
  };
  const stalled = Math.floor(badness * 3 * random());
  return [
    ...perSecond.flatMap((id) => row(id, viewers)),
    ...row('stallMs', stalled),
    ...row('freezeMs', stalled),
    ...arrivals.flatMap((id) => row(id, arriving)),
  ];
}
