import type { PlanSearch } from '../../../domain/model/audienceValues';
import { precisionAt } from '../../../domain/search/stepSearch';
import type { LimitResult } from '../../../domain/model/limitFound';
import { LimitSearch, type SearchStep } from '../../../domain/search/limitSearch';
import { audienceText, withBottleneck } from '../../../domain/search/limitText';
import { recoveryIntervalMs } from '../../../domain/duration/searchEstimate';
import type { TrialJudgement } from '../../../domain/search/trialJudgement';
import type { LoadController, AudienceState, AudienceTarget } from './loadController';

/** The measurement of `viewers` viewers from one time to another, Unix ms. */
export type JudgeTrial = (fromMs: number, toMs: number, viewers: number) => TrialJudgement;
/** The bottleneck, at the end of a search; undefined if none was reached. */
export type FindBottleneck = (result: LimitResult) => LimitResult['bottleneck'];

/** A step may take this many times the time that its rate requires, plus this; then it is measured as it is. */
const movingFactor = 3;
const movingSlackMs = 15_000;
/** After a failure the remaining viewers get this many settle-and-measure periods to recover. */
const recoveryFactor = 3;
const recoverySlackMs = 10_000;

/** Progress of the latest target. */
type Stage =
  | { readonly kind: 'moving'; readonly sinceMs: number; readonly patienceMs: number }
  | { readonly kind: 'watching'; readonly settledMs: number; readonly fromMs: number };

/** Finds the largest audience: grows, waits, has the judge measure, and follows the search. */
class LimitSearchController implements LoadController {
  phase: 'ramp' | 'hold' = 'ramp';
  private readonly steps: LimitSearch;
  private stage: Stage | undefined;
  private ending: LimitResult | undefined;

  constructor(
    private readonly search: PlanSearch,
    private readonly ratePerSecond: number,
    private readonly judge: JudgeTrial,
    private readonly explain: FindBottleneck,
    private readonly roomSize?: number,
    private readonly clients?: 'viewers' | 'publishers',
  ) {
    this.steps = new LimitSearch(search, roomSize, clients);
  }

  get found(): LimitResult {
    return this.ending ?? this.steps.found;
  }

  next(state: AudienceState): AudienceTarget | 'end' | undefined {
    const { step } = this.steps;
    if (step.kind === 'done') return this.finish();
    if (!this.stage) return this.ask(step, state);
    if (this.stage.kind === 'moving') {
      this.settle(this.stage, state);
      return undefined;
    }
    const isDone =
      step.kind === 'try' ? this.look(this.stage, step.viewers, state) : this.recover(this.stage, step.viewers, state);
    if (!isDone) return undefined;
    const { step: following } = this.steps;
    if (following.kind === 'done') return this.finish();
    if (following.kind === 'try' && this.steps.isRepeatedCheck) {
      this.stage = { kind: 'watching', settledMs: this.stage.settledMs, fromMs: state.nowMs };
      return undefined;
    }
    return this.ask(following, state);
  }

  private ask(step: Exclude<SearchStep, { kind: 'done' }>, { nowMs, wanted }: AudienceState): AudienceTarget {
    const moves = Math.abs(step.viewers - wanted);
    const patienceMs = (moves / this.ratePerSecond) * 1000 * movingFactor + movingSlackMs;
    this.stage = { kind: 'moving', sinceMs: nowMs, patienceMs };
    this.phase = 'ramp';
    const sentence =
      step.kind === 'try'
        ? `Limit search: trying ${audienceText(step.viewers, this.roomSize, this.clients)}`
        : `Limit search: down to ${audienceText(step.viewers, this.roomSize, this.clients)} until they recover`;
    return {
      viewers: step.viewers,
      ratePerSecond: this.ratePerSecond,
      grain: this.roomSize ?? precisionAt(step.viewers, this.search),
      sentence,
    };
  }

  private settle(
    { sinceMs, patienceMs }: Extract<Stage, { kind: 'moving' }>,
    { nowMs, settledMs }: AudienceState,
  ): void {
    // What was settled before the latest target does not count.
    const isSettled = settledMs !== undefined && settledMs >= sinceMs && nowMs > sinceMs;
    if (!isSettled && nowMs - sinceMs < patienceMs) return;
    const fromMs = isSettled ? settledMs : nowMs;
    this.stage = { kind: 'watching', settledMs: fromMs, fromMs: fromMs + this.search.settleMs };
    this.phase = 'hold';
  }

  private look({ fromMs }: Extract<Stage, { kind: 'watching' }>, viewers: number, { nowMs }: AudienceState): boolean {
    if (nowMs < fromMs + this.search.measureMs) return false;
    this.steps.seen(this.judge(fromMs, nowMs, viewers), fromMs, nowMs);
    return true;
  }

  private recover(
    { settledMs }: Extract<Stage, { kind: 'watching' }>,
    viewers: number,
    { nowMs }: AudienceState,
  ): boolean {
    const { settleMs, measureMs } = this.search;
    const probeMs = recoveryIntervalMs(this.search);
    if (nowMs < settledMs + probeMs) return false;
    const hasRecovered = this.judge(nowMs - probeMs, nowMs, viewers).result === 'met';
    const isOver = nowMs - settledMs >= (settleMs + measureMs) * recoveryFactor + recoverySlackMs;
    if (!hasRecovered && !isOver) return false;
    this.steps.recovered(hasRecovered);
    return true;
  }

  private finish(): 'end' {
    if (this.ending === undefined) {
      const { found } = this.steps;
      this.ending = withBottleneck(found, this.explain(found));
    }
    return 'end';
  }
}

/** A controller that finds the largest audience by the results of `judge`. */
export function limitSearchController(
  search: PlanSearch,
  ratePerSecond: number,
  judge: JudgeTrial,
  explain: FindBottleneck = () => undefined,
  roomSize?: number,
  clients?: 'viewers' | 'publishers',
): LimitSearchController {
  return new LimitSearchController(search, ratePerSecond, judge, explain, roomSize, clients);
}
