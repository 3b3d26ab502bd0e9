import { seriesDefinition, type Sample, type SeriesId } from '../../../domain/series';

interface Latest {
  timeMs: number;
  value: number;
  /** Between the last two samples. */
  everyMs: number;
}

/** Something that is measured once a second and says nothing for this long has stopped. */
const usualSilenceMs = 5000;
/** Hosts are also read by way of a Prometheus, which asks them as seldom as somebody has set. */
const longestSilenceMs = 150_000;
const beatsOfSilence = 2.5;
const slow: ReadonlySet<string> = new Set(['host', 'origin']);

/** The latest value of every series of every node, until its source has stopped to tell it. */
export class LatestSamples {
  private readonly byNode = new Map<string, Map<SeriesId, Latest>>();

  take(samples: readonly Sample[]): void {
    for (const { node, series, timeMs, value } of samples) {
      const all = this.byNode.get(node) ?? new Map<SeriesId, Latest>();
      this.byNode.set(node, all);
      const known = all.get(series);
      if (!known) all.set(series, { timeMs, value, everyMs: 0 });
      else if (timeMs > known.timeMs) Object.assign(known, { timeMs, value, everyMs: timeMs - known.timeMs });
    }
  }

  /** What counts now, by node; what has fallen silent is forgotten. */
  fresh(nowMs: number): ReadonlyMap<string, ReadonlyMap<SeriesId, number>> {
    const now = new Map<string, ReadonlyMap<SeriesId, number>>();
    for (const [node, all] of this.byNode) {
      const values = new Map<SeriesId, number>();
      for (const [series, latest] of all)
        if (nowMs - latest.timeMs <= silenceMs(series, latest)) values.set(series, latest.value);
        else all.delete(series);
      if (values.size > 0) now.set(node, values);
      else this.byNode.delete(node);
    }
    return now;
  }
}

function silenceMs(series: SeriesId, { everyMs }: Latest): number {
  if (!slow.has(seriesDefinition(series)?.source ?? '')) return usualSilenceMs;
  return Math.min(longestSilenceMs, Math.max(usualSilenceMs, beatsOfSilence * everyMs));
}
