import type { PlanSearch } from '../../../domain/plan/plan';
import { precisionAt } from '../../../domain/search/ascent';
import type { LimitFound } from '../../../domain/search/found';
import { LimitSearch, type SearchStep } from '../../../domain/search/limitSearch';
import { withGiver } from '../../../domain/search/limitText';
import { recoveryLookMs } from '../../../domain/search/searchEstimate';
import type { TrialJudgement } from '../../../domain/search/trialJudgement';
import { viewers as viewersText } from '../sentences';
import type { Director, HouseSeen, Wish } from './director';

/** What was seen of `viewers` viewers from one moment to another, Unix ms. */
export type JudgeTrial = (fromMs: number, toMs: number, viewers: number) => TrialJudgement;
/** What gave out first, at the end of a search; undefined where nothing did. */
export type ExplainBreak = (found: LimitFound) => LimitFound['gaveOut'];

/** Coming and going may take this many times what the rate makes of it, and this much more; then whoever is there is watched. */
const movingFactor = 3;
const movingSlackMs = 15_000;
/** Those who are left after a break get so many times settling and watching until they have to watch well. */
const recoveryFactor = 3;
const recoverySlackMs = 10_000;

/** Where the director stands with its latest wish. */
type Stage =
  | { readonly kind: 'moving'; readonly sinceMs: number; readonly patienceMs: number }
  | { readonly kind: 'watching'; readonly settledMs: number; readonly fromMs: number };

/** Finds the largest audience: grows, waits, lets the judge look, and does what the search says next. */
export class SearchDirector implements Director {
  phase: 'ramp' | 'hold' = 'ramp';
  private readonly steps: LimitSearch;
  private stage: Stage | undefined;
  private ending: LimitFound | undefined;

  constructor(
    private readonly search: PlanSearch,
    private readonly ratePerSecond: number,
    private readonly judge: JudgeTrial,
    private readonly explain: ExplainBreak,
  ) {
    this.steps = new LimitSearch(search);
  }

  get found(): LimitFound {
    return this.ending ?? this.steps.found;
  }

  next(seen: HouseSeen): Wish | 'end' | undefined {
    const { step } = this.steps;
    if (step.kind === 'done') return this.finish();
    if (!this.stage) return this.ask(step, seen);
    if (this.stage.kind === 'moving') {
      this.settle(this.stage, seen);
      return undefined;
    }
    const isDone =
      step.kind === 'try'
        ? this.look(this.stage, step.viewers, seen)
        : this.recover(this.stage, step.viewers, seen);
    if (!isDone) return undefined;
    const { step: following } = this.steps;
    if (following.kind === 'done') return this.finish();
    if (following.kind === 'try' && this.steps.isAnotherLook) {
      this.stage = { kind: 'watching', settledMs: this.stage.settledMs, fromMs: seen.nowMs };
      return undefined;
    }
    return this.ask(following, seen);
  }

  private ask(step: Exclude<SearchStep, { kind: 'done' }>, { nowMs, wanted }: HouseSeen): Wish {
    const moves = Math.abs(step.viewers - wanted);
    const patienceMs = (moves / this.ratePerSecond) * 1000 * movingFactor + movingSlackMs;
    this.stage = { kind: 'moving', sinceMs: nowMs, patienceMs };
    this.phase = 'ramp';
    const sentence =
      step.kind === 'try'
        ? `Find the limit: ${viewersText(step.viewers)} are tried`
        : `Find the limit: down to ${viewersText(step.viewers)} until they watch well`;
    return {
      viewers: step.viewers,
      ratePerSecond: this.ratePerSecond,
      grain: precisionAt(step.viewers, this.search),
      sentence,
    };
  }

  private settle(
    { sinceMs, patienceMs }: Extract<Stage, { kind: 'moving' }>,
    { nowMs, settledMs }: HouseSeen,
  ): void {
    // What was settled before the wish says nothing of it.
    const isSettled = settledMs !== undefined && settledMs >= sinceMs && nowMs > sinceMs;
    if (!isSettled && nowMs - sinceMs < patienceMs) return;
    const fromMs = isSettled ? settledMs : nowMs;
    this.stage = { kind: 'watching', settledMs: fromMs, fromMs: fromMs + this.search.settleMs };
    this.phase = 'hold';
  }

  private look(
    { fromMs }: Extract<Stage, { kind: 'watching' }>,
    viewers: number,
    { nowMs }: HouseSeen,
  ): boolean {
    if (nowMs < fromMs + this.search.measureMs) return false;
    this.steps.seen(this.judge(fromMs, nowMs, viewers), fromMs, nowMs);
    return true;
  }

  private recover(
    { settledMs }: Extract<Stage, { kind: 'watching' }>,
    viewers: number,
    { nowMs }: HouseSeen,
  ): boolean {
    const { settleMs, measureMs } = this.search;
    const lookMs = recoveryLookMs(this.search);
    if (nowMs < settledMs + lookMs) return false;
    const isWell = this.judge(nowMs - lookMs, nowMs, viewers).result === 'met';
    const isOver = nowMs - settledMs >= (settleMs + measureMs) * recoveryFactor + recoverySlackMs;
    if (!isWell && !isOver) return false;
    this.steps.recovered(isWell);
    return true;
  }

  private finish(): 'end' {
    if (this.ending === undefined) {
      const { found } = this.steps;
      this.ending = withGiver(found, this.explain(found));
    }
    return 'end';
  }
}

/** A director that finds the largest audience by what `judge` says of each size. */
export function searchDirector(
  search: PlanSearch,
  ratePerSecond: number,
  judge: JudgeTrial,
  explain: ExplainBreak = () => undefined,
): SearchDirector {
  return new SearchDirector(search, ratePerSecond, judge, explain);
}
