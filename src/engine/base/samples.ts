import type { Sample, SampleBatch, SeriesId } from '../../domain/series/series';

/** Makes samples of the values that one node measured at one time; missing values yield none. */
export function samplesOf(timeMs: number, node: string, values: Partial<Record<SeriesId, number>>): Sample[] {
  const samples: Sample[] = [];
  for (const [series, value] of Object.entries(values))
    if (value !== undefined && Number.isFinite(value))
      samples.push({ timeMs, node, series: series as SeriesId, value });
  return samples;
}

/** A sample of the fleet, under the name that a run has for its node. */
export interface LiveSample extends Sample {
  /** See `SampleBatch`. */
  readonly fleetNode?: string;
}

/** Samples as sent to the window. */
export function batchOf(samples: readonly LiveSample[]): SampleBatch {
  const keys: Array<SampleBatch['keys'][number]> = [];
  const positions = new Map<string, number>();
  const key = samples.map(({ node, series, fleetNode }) => {
    const name = `${node} ${series} ${fleetNode ?? ''}`;
    const known = positions.get(name);
    if (known !== undefined) return known;
    positions.set(name, keys.length);
    return keys.push({ node, series, ...(fleetNode === undefined ? {} : { fleetNode }) }) - 1;
  });
  return { keys, key, timeMs: samples.map((s) => s.timeMs), value: samples.map((s) => s.value) };
}

/** The inverse of `batchOf`. */
export function samplesIn({ keys, key, timeMs, value }: SampleBatch): Sample[] {
  return key.flatMap((place, row) => {
    const of = keys[place];
    return of ? [{ ...of, timeMs: timeMs[row] ?? 0, value: value[row] ?? 0 }] : [];
  });
}
