import type { PlanStage } from '../../../domain/model/audienceValues';
import { segmentsOf, totalTimeMs, type Segment } from '../../../domain/stages/loadProfile';
import { profileBounds } from '../pullSteps';
import { seconds } from '../../base/sentences';
import type { LoadController, AudienceState, AudienceTarget } from './loadController';
import { formatCount, formatRounded, formatViewers } from '../../../domain/text/numberFormat';

/**
 * Leads an audience through a plan's stages. If a ramp takes longer than planned the next stage waits for it, within
 * the limits of every pull.
 */
export class StagedLoadController implements LoadController {
  phase: 'ramp' | 'hold' = 'ramp';
  private readonly segments: readonly Segment[];
  private readonly stages: number;
  private place = -1;
  private begunMs = 0;
  private intervals = 0;
  private plannedEndMs: number | undefined;

  constructor(stages: readonly PlanStage[]) {
    this.segments = segmentsOf(stages);
    this.stages = stages.length;
  }

  get endsMs(): number | undefined {
    return this.plannedEndMs;
  }

  next(state: AudienceState): AudienceTarget | 'end' | undefined {
    const segment = this.segments[this.place];
    if (!segment || this.isOver(segment, state)) return this.begin(this.place + 1, state.nowMs);
    return this.within(segment, state);
  }

  private isOver({ kind, fromMs, toMs }: Segment, { nowMs, settledMs }: AudienceState): boolean {
    const plannedMs = toMs - fromMs;
    const passedMs = nowMs - this.begunMs;
    if (passedMs < plannedMs) return false;
    const maxMs = plannedMs * profileBounds.arrivalFactor + profileBounds.arrivalSlackMs;
    return kind !== 'ramp' || settledMs !== undefined || passedMs >= maxMs;
  }

  private begin(place: number, nowMs: number): AudienceTarget | 'end' {
    const segment = this.segments[place];
    this.place = place;
    this.begunMs = nowMs;
    this.intervals = 1;
    this.plannedEndMs = nowMs + totalTimeMs(this.segments) - (segment?.fromMs ?? totalTimeMs(this.segments));
    if (!segment) return 'end';
    this.phase = segment.kind === 'ramp' ? 'ramp' : 'hold';
    const isDown = segment.kind === 'ramp' && segment.toViewers < segment.fromViewers;
    return {
      // A ramp down is gradual; a stage that starts with fewer viewers than present disconnects the rest at once.
      viewers: isDown ? segment.fromViewers : segment.toViewers,
      ratePerSecond: segment.ratePerSecond ?? 1,
      ...(segment.replace === undefined ? {} : { replace: segment.replace }),
      grain: this.grainAfter(place),
      sentence: this.sentenceOf(segment),
    };
  }

  private within(segment: Segment, { nowMs, wanted }: AudienceState): AudienceTarget | undefined {
    const { kind, toMs, fromMs, fromViewers, toViewers, everyMs, replace, ratePerSecond = 1 } = segment;
    const passedMs = nowMs - this.begunMs;
    if (kind === 'churn' && everyMs !== undefined && passedMs >= this.intervals * everyMs) {
      // A late tick is not made up for.
      this.intervals = Math.floor(passedMs / everyMs) + 1;
      return { viewers: toViewers, ratePerSecond, replace, grain: this.grainAfter(this.place) };
    }
    if (kind !== 'ramp' || toViewers >= fromViewers) return undefined;
    const share = Math.min(1, passedMs / (toMs - fromMs));
    const level = Math.round(fromViewers + (toViewers - fromViewers) * share);
    if (level >= wanted) return undefined;
    return { viewers: level, ratePerSecond, grain: this.grainAfter(this.place), isPassing: share < 1 };
  }

  /**
   * The smallest later ramp-down step: new viewers are started in parts of that size, so that none has to be restarted.
   */
  private grainAfter(place: number): number {
    const later = this.segments.slice(place);
    const leaving = later.flatMap(({ kind, fromViewers, toViewers, replace, ratePerSecond = 1 }) => {
      if (kind === 'churn') return [replace ?? 1];
      return kind === 'ramp' && toViewers < fromViewers ? [Math.max(1, Math.floor(ratePerSecond))] : [];
    });
    return Math.min(Number.POSITIVE_INFINITY, ...leaving);
  }

  private sentenceOf({ stage, of, kind, fromMs, toMs, toViewers, fromViewers, replace, everyMs }: Segment): string {
    const title = `Stage ${stage + 1} of ${this.stages}, ${of}`;
    const long = `for ${seconds(toMs - fromMs)}`;
    if (kind === 'churn')
      return `${title}: ${formatCount(replace ?? 0)} of ${formatViewers(toViewers)} are replaced every ${formatRounded((everyMs ?? 0) / 1000)} s, ${long}`;
    if (kind === 'hold') return `${title}: ${formatViewers(toViewers)} ${long}`;
    return `${title}: from ${formatCount(fromViewers)} to ${formatViewers(toViewers)} in ${seconds(toMs - fromMs)}`;
  }
}
