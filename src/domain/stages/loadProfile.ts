import type { PlanStage } from '../model/audienceValues';

/**
 * One segment of a load profile. Times are planned ms from the first arrival; the runner waits if arrivals take longer.
 * A segment may start below the end of the one before it: the difference disconnects at once.
 */
export interface Segment {
  /** `ramp`: linear, up or down; `hold`: constant; `churn`: some viewers are replaced repeatedly. */
  readonly kind: 'ramp' | 'hold' | 'churn';
  /** Index of its stage in the plan, from 0, and the stage's kind. */
  readonly stage: number;
  readonly of: PlanStage['kind'];
  readonly fromMs: number;
  readonly toMs: number;
  readonly fromViewers: number;
  readonly toViewers: number;
  /** Arrivals, or disconnects of a ramp down; absent if the size is constant. */
  readonly ratePerSecond?: number;
  /** Viewers that a churn replaces at its start and every `everyMs` after it. */
  readonly replace?: number;
  readonly everyMs?: number;
}

type Part = Omit<Segment, 'stage' | 'of' | 'fromMs' | 'toMs' | 'fromViewers'> & { readonly forMs: number };

/** The segments of stages in sequence. Every segment has a length and starts when the one before it ends. */
export function segmentsOf(stages: readonly PlanStage[]): Segment[] {
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

/** At a rate, rounded to ms like all timestamps of a run. */
function change(from: number, toViewers: number, ratePerSecond: number): Part {
  const forMs = Math.max(1, Math.round((Math.abs(toViewers - from) * 1000) / ratePerSecond));
  return { kind: 'ramp', toViewers, forMs, ratePerSecond };
}

/** Levels of a step, the last of which may be smaller; none if it changes nothing. */
function stepLevels(stage: Extract<PlanStage, { kind: 'step' }>, level: number): number[] {
  const way = stage.viewers - level;
  return Array.from({ length: Math.ceil(Math.abs(way) / stage.by) }, (_, i) => {
    const moved = Math.min((i + 1) * stage.by, Math.abs(way));
    return level + Math.sign(way) * moved;
  });
}

/** How many of `level` viewers one interval of a churn replaces. */
export function replacedOf(level: number, percent: number): number {
  return Math.max(1, Math.round((level * percent) / 100));
}

/** Peak viewers. */
export function maxViewers(stageSegments: readonly Segment[]): number {
  return stageSegments.reduce((most, { fromViewers, toViewers }) => Math.max(most, fromViewers, toViewers), 0);
}

/** Peak arrival rate, per second. */
export function peakArrivalRate(stageSegments: readonly Segment[]): number {
  const arriving = stageSegments.filter(({ kind, fromViewers, toViewers }) =>
    kind === 'ramp' ? toViewers > fromViewers : kind === 'churn',
  );
  return arriving.reduce((most, { ratePerSecond = 0 }) => Math.max(most, ratePerSecond), 0);
}

/** Total planned time, ms. */
export function totalTimeMs(stageSegments: readonly Segment[]): number {
  return stageSegments.at(-1)?.toMs ?? 0;
}

/** The segment at a time; the later one at a boundary, undefined before the first and from the end on. */
export function segmentAt(stageSegments: readonly Segment[], ms: number): Segment | undefined {
  return stageSegments.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}

/** Planned viewers at a time, whole numbers; 0 before the first arrival and from the end on. */
export function levelAt(stageSegments: readonly Segment[], ms: number): number {
  const segment = segmentAt(stageSegments, ms);
  if (!segment) return 0;
  const { fromMs, toMs, fromViewers, toViewers } = segment;
  return Math.round(fromViewers + ((toViewers - fromViewers) * (ms - fromMs)) / (toMs - fromMs));
}
