import type { Judged } from './judged';
import { hostValues } from './judgedValues';
import type { NodeView } from '../node';
import { writeDuration } from '../plan/quantity';
import type { SeriesId } from '../series';
import { describeAmount } from '../seriesAmount';
import { audiencesOf } from '../shares';
import { courseOf, type Segment } from '../stages/course';
import { figure } from './verdictRules';
import { Stretches } from '../windows';

/** What wears out, leaks or piles up where an audience only watches. */
const watched: ReadonlyArray<{ readonly series: SeriesId; readonly words: string }> = [
  { series: 'processMemoryBytes', words: "the server process's memory" },
  { series: 'memoryUsedBytes', words: 'memory used' },
  { series: 'processOpenFiles', words: 'open files' },
  { series: 'processThreads', words: 'threads' },
  { series: 'socketsUsed', words: 'sockets' },
  { series: 'cpuPercent', words: 'CPU' },
];
/** The first and the last part of a soak that are held against each other, each no longer than a minute. */
const edgeShare = 0.1;
const mostEdgeMs = 60_000;
/** Less than this comes and goes by itself. */
const leastPercent = 5;

/** What has grown on the origins over each soak of the plan, one sentence for a soak and origin. */
export function soakSentences(judged: Judged): string[] {
  return soaksOf(judged).flatMap(({ fromMs, toMs }) =>
    judged.origins.flatMap((origin) => sentenceOf(judged, origin, fromMs, toMs)),
  );
}

function sentenceOf(judged: Judged, origin: NodeView, fromMs: number, toMs: number): string[] {
  const edgeMs = Math.min(mostEdgeMs, (toMs - fromMs) * edgeShare);
  const seen = watched.flatMap(({ series, words }) => {
    const stretches = new Stretches(hostValues(judged, origin, series));
    const first = stretches.mean(fromMs, fromMs + edgeMs);
    const last = stretches.mean(toMs - edgeMs, toMs);
    if (first.count === 0 || last.count === 0 || first.mean <= 0) return [];
    const percent = (100 * (last.mean - first.mean)) / first.mean;
    const text = `${words} from ${describeAmount(series, first.mean)} to ${describeAmount(series, last.mean)} (+${figure(percent)} %)`;
    return [{ isGrown: percent > leastPercent, words, text }];
  });
  if (seen.length === 0) return [];
  const grown = seen.filter(({ isGrown }) => isGrown).map(({ text }) => text);
  const soak = `Over the soak of ${writeDuration(Math.round((toMs - fromMs) / 1000) * 1000)}`;
  return [
    grown.length > 0
      ? `${soak} it grew on ${origin.name}: ${grown.join(', ')}.`
      : `${soak} nothing grew by more than ${leastPercent} % on ${origin.name}: ${seen.map(({ words }) => words).join(', ')}.`,
  ];
}

interface Soak {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When the soaks really were, those that came to their end. */
function soaksOf(judged: Judged): Soak[] {
  const { view, time } = judged;
  const audiences = audiencesOf(view.plan);
  const holds = view.phases.filter(({ name }) => name === 'hold');
  return audiences.flatMap(({ stages = [] }) => {
    const course = courseOf(stages);
    const blocks = heldBlocks(course);
    // Arrivals may have taken longer than planned: each time without a ramp has a phase of its own, unless other audiences have theirs.
    const isAlone = audiences.length === 1 && holds.length === blocks.length;
    return course
      .filter(({ of }) => of === 'soak')
      .flatMap((soak): Soak[] => {
        const place = blocks.findIndex((block) => block.includes(soak));
        const offsetMs = soak.fromMs - (blocks[place]?.[0]?.fromMs ?? 0);
        const hold = isAlone ? holds[place] : undefined;
        const fromMs = hold ? hold.startMs + offsetMs : time.fromMs + soak.fromMs;
        const toMs = Math.min(fromMs + soak.toMs - soak.fromMs, time.toMs);
        // A run that was stopped in it may have watched too little.
        return toMs - fromMs >= (soak.toMs - soak.fromMs) / 2 ? [{ fromMs, toMs }] : [];
      });
  });
}

/** Segments without a ramp that follow each other. */
function heldBlocks(course: readonly Segment[]): Segment[][] {
  const blocks: Segment[][] = [];
  course.forEach((segment, place) => {
    if (segment.kind === 'ramp') return;
    const last = blocks.at(-1);
    if (last && course[place - 1]?.kind !== 'ramp') last.push(segment);
    else blocks.push([segment]);
  });
  return blocks;
}
