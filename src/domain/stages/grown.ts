import { describeAmount } from '../seriesAmount';
import { seriesDefinition, type SeriesId } from '../series';

/** What a soak looks at: what must not grow while nobody comes or goes. */
export const soakedSeries = [
  'processMemoryBytes',
  'memoryUsedBytes',
  'processOpenFiles',
  'processThreads',
  'socketsUsed',
  'cpuPercent',
] as const satisfies readonly SeriesId[];

export interface Soaked {
  readonly node: string;
  readonly series: SeriesId;
  readonly timeMs: readonly number[];
  readonly value: readonly number[];
}

/** Less than this says nothing: two tenths of it are compared. */
const leastSamples = 20;
/** Growth that is told: of the size before, and more than both ends vary by themselves. */
const leastPercent = 5;

/** One sentence on what has grown over a soak, from its first tenth to its last; undefined when too little was measured to say. */
export function grownSentence(all: readonly Soaked[]): string | undefined {
  const measured = all.filter(({ value }) => value.length >= leastSamples);
  if (measured.length === 0) return undefined;
  const grown = measured.flatMap(({ node, series, value }) => {
    const tenth = Math.max(3, Math.floor(value.length / 10));
    const [first, last] = [value.slice(0, tenth), value.slice(-tenth)];
    const [before, after] = [median(first), median(last)];
    const percent = before > 0 ? (100 * (after - before)) / before : 0;
    const isNoise = after - before <= spread(first) + spread(last);
    if (percent < leastPercent || isNoise) return [];
    const { title } = seriesDefinition(series) ?? { title: series };
    return [
      `${title} of ${node} from ${describeAmount(series, before)} to ${describeAmount(series, after)} (+${Math.round(percent)} %)`,
    ];
  });
  return grown.length > 0 ? `Grown over the soak: ${grown.join(', ')}` : 'Nothing has grown over the soak';
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Half the range that the middle half of the values takes. */
function spread(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return (at(0.75) - at(0.25)) / 2;
}
