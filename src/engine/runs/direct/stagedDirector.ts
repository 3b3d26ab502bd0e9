import type { PlanStage } from '../../../domain/plan/plan';
import { courseOf, wholeTimeMs, type Segment } from '../../../domain/stages/course';
import { courseBounds } from '../course';
import { about, seconds, viewers, whole } from '../sentences';
import type { Director, HouseSeen, Wish } from './director';

/** Leads an audience through a plan's stages. Where arrivals take longer than planned the next stage waits for them, within the bounds of every pull. */
export class StagedDirector implements Director {
  phase: 'ramp' | 'hold' = 'ramp';
  private readonly course: readonly Segment[];
  private readonly stages: number;
  private place = -1;
  private begunMs = 0;
  private beats = 0;
  private plannedEndMs: number | undefined;

  constructor(stages: readonly PlanStage[]) {
    this.course = courseOf(stages);
    this.stages = stages.length;
  }

  get endsMs(): number | undefined {
    return this.plannedEndMs;
  }

  next(seen: HouseSeen): Wish | 'end' | undefined {
    const segment = this.course[this.place];
    if (!segment || this.isOver(segment, seen)) return this.begin(this.place + 1, seen.nowMs);
    return this.within(segment, seen);
  }

  private isOver({ kind, fromMs, toMs }: Segment, { nowMs, settledMs }: HouseSeen): boolean {
    const plannedMs = toMs - fromMs;
    const passedMs = nowMs - this.begunMs;
    if (passedMs < plannedMs) return false;
    const mostMs = plannedMs * courseBounds.arrivalFactor + courseBounds.arrivalSlackMs;
    return kind !== 'ramp' || settledMs !== undefined || passedMs >= mostMs;
  }

  private begin(place: number, nowMs: number): Wish | 'end' {
    const segment = this.course[place];
    this.place = place;
    this.begunMs = nowMs;
    this.beats = 1;
    this.plannedEndMs = nowMs + wholeTimeMs(this.course) - (segment?.fromMs ?? wholeTimeMs(this.course));
    if (!segment) return 'end';
    this.phase = segment.kind === 'ramp' ? 'ramp' : 'hold';
    const isDown = segment.kind === 'ramp' && segment.toViewers < segment.fromViewers;
    return {
      // Who goes down in a line goes by and by; whoever begins with fewer than were there sends the rest home at once.
      viewers: isDown ? segment.fromViewers : segment.toViewers,
      ratePerSecond: segment.ratePerSecond ?? 1,
      ...(segment.replace === undefined ? {} : { replace: segment.replace }),
      grain: this.grainAfter(place),
      sentence: this.sentenceOf(segment),
    };
  }

  private within(segment: Segment, { nowMs, wanted }: HouseSeen): Wish | undefined {
    const { kind, toMs, fromMs, fromViewers, toViewers, everyMs, replace, ratePerSecond = 1 } = segment;
    const passedMs = nowMs - this.begunMs;
    if (kind === 'churn' && everyMs !== undefined && passedMs >= this.beats * everyMs) {
      // A beat that came late is not made up for.
      this.beats = Math.floor(passedMs / everyMs) + 1;
      return { viewers: toViewers, ratePerSecond, replace, grain: this.grainAfter(this.place) };
    }
    if (kind !== 'ramp' || toViewers >= fromViewers) return undefined;
    const share = Math.min(1, passedMs / (toMs - fromMs));
    const level = Math.round(fromViewers + (toViewers - fromViewers) * share);
    if (level >= wanted) return undefined;
    return { viewers: level, ratePerSecond, grain: this.grainAfter(this.place), isPassing: share < 1 };
  }

  /** The fewest that leave at once later on: newcomers come in parts of that size, so that nobody has to come again. */
  private grainAfter(place: number): number {
    const later = this.course.slice(place);
    const leaving = later.flatMap(({ kind, fromViewers, toViewers, replace, ratePerSecond = 1 }) => {
      if (kind === 'churn') return [replace ?? 1];
      return kind === 'ramp' && toViewers < fromViewers ? [Math.max(1, Math.floor(ratePerSecond))] : [];
    });
    return Math.min(Number.POSITIVE_INFINITY, ...leaving);
  }

  private sentenceOf({
    stage,
    of,
    kind,
    fromMs,
    toMs,
    toViewers,
    fromViewers,
    replace,
    everyMs,
  }: Segment): string {
    const title = `Stage ${stage + 1} of ${this.stages}, ${of}`;
    const long = `for ${seconds(toMs - fromMs)}`;
    if (kind === 'churn')
      return `${title}: ${whole(replace ?? 0)} of ${viewers(toViewers)} are replaced every ${about((everyMs ?? 0) / 1000)} s, ${long}`;
    if (kind === 'hold') return `${title}: ${viewers(toViewers)} ${long}`;
    return `${title}: from ${whole(fromViewers)} to ${viewers(toViewers)} in ${seconds(toMs - fromMs)}`;
  }
}
