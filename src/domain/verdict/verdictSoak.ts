import type { Judged } from '../evidence/evidence';
import { hostValues } from '../evidence/evidenceValues';
import type { NodeView } from '../model/node';
import { writeDuration } from '../plan/quantity';
import type { SeriesId } from '../series/series';
import { describeAmount } from '../series/seriesAmount';
import { audiencesOf } from '../model/distribution';
import { segmentsOf, type Segment } from '../stages/loadProfile';
import { RangeSums } from '../series/windows';
import { formatTenths } from '../text/numberFormat';

/** What may leak or accumulate under constant load. */
const observed: ReadonlyArray<{ readonly series: SeriesId; readonly words: string }> = [
  { series: 'processMemoryBytes', words: 'server process memory' },
  { series: 'memoryUsedBytes', words: 'memory used' },
  { series: 'processOpenFiles', words: 'open files' },
  { series: 'processThreads', words: 'threads' },
  { series: 'socketsUsed', words: 'sockets' },
  { series: 'cpuPercent', words: 'CPU' },
];
/** The first and the last part of a soak that are compared, each at most a minute. */
const edgeShare = 0.1;
const maxEdgeMs = 60_000;
/** Smaller changes are normal variation. */
const minPercent = 5;

/** Growth on the origins over each soak of the plan, one sentence per soak and origin. */
export function soakSentences(judged: Judged): string[] {
  return soaksOf(judged).flatMap(({ fromMs, toMs }) =>
    judged.origins.flatMap((origin) => sentenceOf(judged, origin, fromMs, toMs)),
  );
}

function sentenceOf(judged: Judged, origin: NodeView, fromMs: number, toMs: number): string[] {
  const edgeMs = Math.min(maxEdgeMs, (toMs - fromMs) * edgeShare);
  const growths = observed.flatMap(({ series, words }) => {
    const sums = new RangeSums(hostValues(judged, origin, series));
    const first = sums.mean(fromMs, fromMs + edgeMs);
    const last = sums.mean(toMs - edgeMs, toMs);
    if (first.count === 0 || last.count === 0 || first.mean <= 0) return [];
    const percent = (100 * (last.mean - first.mean)) / first.mean;
    const text = `${words} from ${describeAmount(series, first.mean)} to ${describeAmount(series, last.mean)} (+${formatTenths(percent)} %)`;
    return [{ isGrown: percent > minPercent, words, text }];
  });
  if (growths.length === 0) return [];
  const grown = growths.filter(({ isGrown }) => isGrown).map(({ text }) => text);
  const soak = `over the soak of ${writeDuration(Math.round((toMs - fromMs) / 1000) * 1000)}`;
  return [
    grown.length > 0
      ? `Growth on ${origin.name} ${soak}: ${grown.join(', ')}.`
      : `No growth above ${minPercent} % on ${origin.name} ${soak}: ${growths.map(({ words }) => words).join(', ')}.`,
  ];
}

interface Soak {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The actual intervals of the soaks that were completed. */
function soaksOf(judged: Judged): Soak[] {
  const { view, time } = judged;
  const audiences = audiencesOf(view.plan);
  const holds = view.phases.filter(({ name }) => name === 'hold');
  return audiences.flatMap(({ stages = [] }) => {
    const segments = segmentsOf(stages);
    const blocks = heldBlocks(segments);
    // Arrivals may have taken longer than planned: each interval without a ramp has its own phase, unless other
    // audiences have theirs.
    const isAlone = audiences.length === 1 && holds.length === blocks.length;
    return segments
      .filter(({ of }) => of === 'soak')
      .flatMap((soak): Soak[] => {
        const place = blocks.findIndex((block) => block.includes(soak));
        const offsetMs = soak.fromMs - (blocks[place]?.[0]?.fromMs ?? 0);
        const hold = isAlone ? holds[place] : undefined;
        const fromMs = hold ? hold.startMs + offsetMs : time.fromMs + soak.fromMs;
        const toMs = Math.min(fromMs + soak.toMs - soak.fromMs, time.toMs);
        // A run stopped within it may have measured too little.
        return toMs - fromMs >= (soak.toMs - soak.fromMs) / 2 ? [{ fromMs, toMs }] : [];
      });
  });
}

/** Consecutive segments without a ramp. */
function heldBlocks(segments: readonly Segment[]): Segment[][] {
  const blocks: Segment[][] = [];
  segments.forEach((segment, place) => {
    if (segment.kind === 'ramp') return;
    const last = blocks.at(-1);
    if (last && segments[place - 1]?.kind !== 'ramp') last.push(segment);
    else blocks.push([segment]);
  });
  return blocks;
}
