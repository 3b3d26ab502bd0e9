import { gapSteps } from '../../../domain/series/gap';
import { seriesDefinition, type SeriesId } from '../../../domain/series/series';
import type { LiveSample } from '../../base/samples';

interface Latest {
  timeMs: number;
  value: number;
  /** Between the last two samples. */
  everyMs: number;
}

/** A value measured once a second is stale after this time. */
const usualSilenceMs = 5000;
/** Hosts may be read through a Prometheus, with its scrape interval. */
const longestSilenceMs = 150_000;
const slow: ReadonlySet<string> = new Set(['host', 'origin']);

/** The latest value of every series of every node, until its source has stopped. */
export class LatestSamples {
  private readonly byNode = new Map<string, Map<SeriesId, Latest>>();

  take(samples: readonly LiveSample[]): void {
    this.forgetRenamed(samples);
    for (const { node, series, timeMs, value } of samples) {
      const all = this.byNode.get(node) ?? new Map<SeriesId, Latest>();
      this.byNode.set(node, all);
      const known = all.get(series);
      if (!known) all.set(series, { timeMs, value, everyMs: 0 });
      else if (timeMs > known.timeMs) Object.assign(known, { timeMs, value, everyMs: timeMs - known.timeMs });
    }
  }

  /** A node of the fleet that a run has under another name is no second node. */
  private forgetRenamed(samples: readonly LiveSample[]): void {
    const renamed = samples.flatMap(({ node, fleetNode }) =>
      fleetNode === undefined || fleetNode === node ? [] : fleetNode,
    );
    if (renamed.length === 0) return;
    const used = new Set(samples.map(({ node }) => node));
    for (const name of renamed) if (!used.has(name)) this.byNode.delete(name);
  }

  /** Current values by node; stale ones are dropped. */
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
  return Math.min(longestSilenceMs, Math.max(usualSilenceMs, gapSteps * everyMs));
}
