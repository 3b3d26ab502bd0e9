import type { PlanStage } from '../plan/plan';

/**
 * A part of an audience's course in which one thing happens. Times are ms from the first arrival, as planned: who obeys it waits where
 * arrivals take longer. What a segment begins with may be less than what the one before it ended with: then so many leave at once.
 */
export interface Segment {
  /** `ramp`: an even line, up or down; `hold`: nobody comes or goes; `churn`: some are replaced, again and again. */
  readonly kind: 'ramp' | 'hold' | 'churn';
  /** Place of its stage in the plan, from 0, and the stage's kind. */
  readonly stage: number;
  readonly of: PlanStage['kind'];
  readonly fromMs: number;
  readonly toMs: number;
  readonly fromViewers: number;
  readonly toViewers: number;
  /** Arrivals, or departures of a ramp that goes down; absent where nobody comes or goes. */
  readonly ratePerSecond?: number;
  /** Of a churn: so many are replaced at its beginning and every `everyMs` after it. */
  readonly replace?: number;
  readonly everyMs?: number;
}

type Part = Omit<Segment, 'stage' | 'of' | 'fromMs' | 'toMs' | 'fromViewers'> & { readonly forMs: number };

/** What stages come to, one after the other. Every segment takes some time and begins when the one before it ends. */
export function courseOf(stages: readonly PlanStage[]): Segment[] {
  const segments: Segment[] = [];
  let nowMs = 0;
  let level = 0;
  stages.forEach((stage, place) => {
    const before = level;
    for (const { forMs, ...part } of partsOf(stage, before)) {
      const toMs = nowMs + forMs;
      segments.push({ ...part, stage: place, of: stage.kind, fromMs: nowMs, toMs, fromViewers: level });
      nowMs = toMs;
      level = part.toViewers;
    }
    if (stage.kind === 'spike') level = before;
  });
  return segments;
}

function partsOf(stage: PlanStage, level: number): Part[] {
  switch (stage.kind) {
    case 'ramp': {
      const ratePerSecond = (Math.abs(stage.viewers - level) * 1000) / stage.overMs;
      return [{ kind: 'ramp', toViewers: stage.viewers, forMs: stage.overMs, ratePerSecond }];
    }
    case 'hold':
    case 'soak':
      return [{ kind: 'hold', toViewers: level, forMs: stage.forMs }];
    case 'step':
      return stepLevels(stage, level).flatMap((toViewers, i, levels) => [
        change(levels[i - 1] ?? level, toViewers, stage.ratePerSecond),
        { kind: 'hold', toViewers, forMs: stage.holdMs },
      ]);
    case 'spike':
      return [
        change(level, stage.viewers, stage.ratePerSecond),
        { kind: 'hold', toViewers: stage.viewers, forMs: stage.forMs },
      ];
    case 'churn': {
      const { forMs, everyMs, ratePerSecond } = stage;
      const replace = replacedOf(level, stage.replacePercent);
      return [{ kind: 'churn', toViewers: level, forMs, ratePerSecond, replace, everyMs }];
    }
  }
}

/** At a rate, in whole ms, since a moment of a run is one. */
function change(from: number, toViewers: number, ratePerSecond: number): Part {
  const forMs = Math.max(1, Math.round((Math.abs(toViewers - from) * 1000) / ratePerSecond));
  return { kind: 'ramp', toViewers, forMs, ratePerSecond };
}

/** Levels of a step, the last of which may be a smaller one; none where it moves nothing. */
function stepLevels(stage: Extract<PlanStage, { kind: 'step' }>, level: number): number[] {
  const way = stage.viewers - level;
  return Array.from({ length: Math.ceil(Math.abs(way) / stage.by) }, (_, i) => {
    const moved = Math.min((i + 1) * stage.by, Math.abs(way));
    return level + Math.sign(way) * moved;
  });
}

/** How many of `level` viewers one beat of a churn replaces. */
export function replacedOf(level: number, percent: number): number {
  return Math.max(1, Math.round((level * percent) / 100));
}

/** The most viewers at once. */
export function mostViewers(course: readonly Segment[]): number {
  return course.reduce((most, { fromViewers, toViewers }) => Math.max(most, fromViewers, toViewers), 0);
}

/** The fastest that anybody arrives, per second. */
export function fastestArrivals(course: readonly Segment[]): number {
  const arriving = course.filter(({ kind, fromViewers, toViewers }) =>
    kind === 'ramp' ? toViewers > fromViewers : kind === 'churn',
  );
  return arriving.reduce((most, { ratePerSecond = 0 }) => Math.max(most, ratePerSecond), 0);
}

/** The whole of the planned time, ms. */
export function wholeTimeMs(course: readonly Segment[]): number {
  return course.at(-1)?.toMs ?? 0;
}

/** The segment at a time; the later one of two that meet, undefined before the first and from the end on. */
export function segmentAt(course: readonly Segment[], ms: number): Segment | undefined {
  return course.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}

/** How many viewers there are to be at a time, whole ones; 0 before the first arrival and from the end on. */
export function levelAt(course: readonly Segment[], ms: number): number {
  const segment = segmentAt(course, ms);
  if (!segment) return 0;
  const { fromMs, toMs, fromViewers, toViewers } = segment;
  return Math.round(fromViewers + ((toViewers - fromViewers) * (ms - fromMs)) / (toMs - fromMs));
}
