import type { NodeView } from '../../../src/domain/model/node';
import type { Sample, SeriesId } from '../../../src/domain/series/series';
import { rounded } from '../../../src/domain/watch/rounded';

export const nodeCount = 20;
export const seriesCount = 40;

/** Half of the figures vary from second to second, a fifth are bytes, a fifth counts, and some are always 0. */
function kindOf(series: number): 'noise' | 'bytes' | 'count' | 'zero' {
  if (series < 20) return 'noise';
  if (series < 28) return 'bytes';
  return series < 36 ? 'count' : 'zero';
}

const names: readonly SeriesId[] = Array.from({ length: seriesCount }, (_, index): SeriesId =>
  index === 0 ? 'cpuPercent' : index === 20 ? 'memoryUsedBytes' : `server:figure_${index}`,
);
/** Those of a screen of charts. */
export const shownSeries: readonly SeriesId[] = names.filter((_, index) => index % 4 === 0).slice(0, 10);

export const nodes: readonly NodeView[] = Array.from({ length: nodeCount }, (_, index) => ({
  ...{ id: `node-${index + 1}`, name: `node-${index + 1}`, role: 'origin', server: 'generic', colourSlot: index + 1 },
  ...{ state: 'live', software: 'srs 6.0', reach: 'API', host: `10.0.0.${index + 1}`, streams: [] },
}));

/** What 20 nodes report, each at its own time of the second. */
export class FleetSamples {
  private readonly level = Float64Array.from({ length: nodeCount * seriesCount }, () => 20 + Math.random() * 50);

  at(secondMs: number): Sample[] {
    const samples: Sample[] = [];
    for (const [place, { id: node }] of nodes.entries()) {
      const timeMs = secondMs + place * 13 + Math.round(Math.random() * 8);
      for (const [index, series] of names.entries())
        samples.push({ timeMs, node, series, value: this.value(place * seriesCount + index, kindOf(index)) });
    }
    return samples;
  }

  private value(at: number, kind: ReturnType<typeof kindOf>): number {
    const level = this.level[at] ?? 0;
    if (kind === 'zero') return 0;
    if (kind === 'bytes') return Math.round(level * 1e7) + Math.round(Math.random() * 40) * 4096;
    if (kind === 'count') {
      if (Math.random() < 0.05) this.level[at] = level + 5;
      return Math.round(level / 5);
    }
    this.level[at] = Math.min(100, Math.max(0, level + (Math.random() - 0.5) * 4));
    return rounded(level + Math.random());
  }
}
