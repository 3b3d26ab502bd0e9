import type { SeriesId } from '../../domain/series/series';
import type { PublicationSample } from '../load/driver';

function unacknowledged(samples: readonly PublicationSample[]): number | undefined {
  const known = samples.flatMap(({ unacknowledgedKb }) => unacknowledgedKb ?? []);
  return known.length > 0 ? 1000 * known.reduce((sum, count) => sum + count, 0) : undefined;
}

/** The figures of all publishers of a tester. Samples are a second apart, so counts of an interval are rates. */
export function publisherValues(samples: readonly PublicationSample[]): Partial<Record<SeriesId, number>> {
  if (samples.length === 0) return {};
  const sum = (of: (sample: PublicationSample) => number | undefined): number =>
    samples.reduce((total, sample) => total + (of(sample) ?? 0), 0);
  const worst = (of: (sample: PublicationSample) => number | undefined): number | undefined => {
    const known = samples.flatMap((sample) => of(sample) ?? []);
    return known.length > 0 ? Math.max(...known) : undefined;
  };
  const one = (state: PublicationSample['state']) => (sample: PublicationSample) =>
    sample.requested === undefined && sample.state === state ? 1 : 0;
  const values: Partial<Record<SeriesId, number | undefined>> = {
    publishersRequested: sum(({ requested }) => requested ?? 1),
    publishersConnecting: sum((sample) => (sample.connecting ?? 0) + one('connecting')(sample)),
    publishersLive: sum((sample) => (sample.live ?? 0) + one('live')(sample)),
    publishersFailed: sum((sample) => (sample.failed ?? 0) + one('failed')(sample)),
    publishMbps: sum(({ bitrateKbps }) => bitrateKbps) / 1000,
    publishRttP50Ms: worst(({ roundTripMs }) => roundTripMs?.p50),
    publishRttP95Ms: worst(({ roundTripMs }) => roundTripMs?.p95),
    publishRetransmissionsPerSecond: sum(({ retransmissions }) => retransmissions),
    publishKeyframeRequestsPerSecond: sum(({ keyframeRequests }) => keyframeRequests),
    publishLossPercent: worst(({ lossPercent }) => lossPercent),
    publishLimitedPercent: worst(({ limitedPercent }) => limitedPercent),
    publishUnacknowledgedBytes: unacknowledged(samples),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
