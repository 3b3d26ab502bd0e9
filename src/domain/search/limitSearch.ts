import type { PlanSearch } from '../model/audienceValues';
import { StepSearch, precisionAt, type SearchStart } from './stepSearch';
import type { LimitResult, Trial } from '../model/limitFound';
import { intervalOf, type Bracket } from './interval';
import { limitSentence } from './limitText';
import { decide, type TrialJudgement } from './trialJudgement';

/** Maximum trials of the first ascent and each further one, including repeated ones. Far above what is needed. */
const maxTrialsFirst = 80;
const maxTrialsEach = 40;
/** A later ascent starts at this share of what held, so that it approaches the break from below again. */
const dropShare = 0.7;
/** Successive repeats try other sizes: the golden ratio never repeats. */
const goldenShare = 0.618;

/** Maximum trials of a search. */
export function maxTrials({ repeats }: PlanSearch): number {
  return maxTrialsFirst + (repeats - 1) * maxTrialsEach;
}

/** The next step: try a size, let the audience recover at one, or done. */
export type SearchStep = { readonly kind: 'try' | 'recover'; readonly viewers: number } | { readonly kind: 'done' };

type Ending = Exclude<LimitResult['state'], 'searching' | 'stopped'>;

/**
 * Finds the largest audience that meets the expectations. Independent of time: it returns the size to try, receives the
 * result, and returns the next, until the break was found `repeats` times.
 */
export class LimitSearch {
  private readonly brackets: Bracket[] = [];
  private readonly trials: Trial[] = [];
  private judgements: TrialJudgement[] = [];
  private ascent: StepSearch;
  private ending: Ending | undefined;

  constructor(
    private readonly search: PlanSearch,
    /** Sizes are multiples of it, and grow one by one: the size of a room. */
    private readonly roomSize?: number,
    private readonly clients: 'viewers' | 'publishers' = 'viewers',
  ) {
    this.ascent = new StepSearch(search, { firstViewers: Math.max(1, search.fromViewers) }, undefined, roomSize);
  }

  get step(): SearchStep {
    if (this.ending !== undefined) return { kind: 'done' };
    const { step } = this.ascent;
    return step.kind === 'try' || step.kind === 'recover'
      ? { kind: step.kind, viewers: step.viewers }
      : { kind: 'done' };
  }

  /** Whether the size is measured again, without a change of the audience. */
  get isRepeatedCheck(): boolean {
    return this.judgements.length > 0;
  }

  /** The result of the size, measured between these times (Unix ms). */
  seen(judgement: TrialJudgement, fromMs: number, toMs: number): void {
    const { step } = this;
    if (step.kind !== 'try') return;
    const { result, sentence, busyNode } = judgement;
    const { viewers } = step;
    this.trials.push({
      viewers,
      repeat: this.brackets.length + 1,
      fromMs,
      toMs,
      result,
      sentence,
      ...(busyNode === undefined ? {} : { busyNode }),
    });
    this.judgements.push(judgement);
    const decision = decide(this.judgements);
    if (decision) {
      this.judgements = [];
      if (decision.result === 'unknown') this.end('unknown');
      else this.ascent.decided(decision, judgement.nearness ?? 0);
    }
    this.moveOn();
    if (this.trials.length >= maxTrials(this.search) && this.ending === undefined) this.end('unknown');
  }

  /** Whether the remaining viewers have recovered. */
  recovered(hasRecovered: boolean): void {
    if (this.step.kind === 'recover') this.ascent.recovered(hasRecovered);
    this.moveOn();
  }

  get found(): LimitResult {
    const { step } = this;
    const interval = intervalOf(this.ending === undefined ? this.brackets : this.known());
    const maxMet = interval?.maxMet ?? (this.ascent.maxMet > 0 ? this.ascent.maxMet : undefined);
    const minMissed = interval?.minMissed ?? this.ascent.minMissed;
    const outcome = {
      state: this.ending ?? 'searching',
      ...(interval ? { viewers: interval.viewers, plusMinus: interval.plusMinus } : {}),
      ...(maxMet === undefined ? {} : { maxMet }),
      ...(minMissed === undefined ? {} : { minMissed }),
      ...(this.roomSize === undefined ? {} : { roomSize: this.roomSize }),
      ...(this.clients === 'publishers' ? { clients: this.clients } : {}),
      repeats: this.brackets.length,
      trials: [...this.trials],
      ...(step.kind === 'done' ? {} : { now: step }),
    } as const;
    return { ...outcome, sentence: limitSentence(outcome) };
  }

  private moveOn(): void {
    if (this.ending !== undefined) return;
    const { step } = this.ascent;
    if (step.kind === 'try' || step.kind === 'recover') return;
    if (step.kind === 'found') this.onBreak(step.bracket);
    // An earlier repeat found the break; if this one did not, it moves, or the testers' limit does.
    else this.end(this.brackets.length > 0 ? 'found' : step.kind);
  }

  private onBreak(bracket: Bracket): void {
    this.brackets.push(bracket);
    if (this.brackets.length >= this.search.repeats) return this.end('found');
    this.ascent = new StepSearch(this.search, this.afresh(), this.ascent.testersLimitedAt, this.roomSize);
  }

  /** Starts well below the break, then grows in steps of the precision, at sizes not tried yet. */
  private afresh(): SearchStart {
    const lowest = Math.min(...this.brackets.map(({ maxMet }) => maxMet));
    if (this.roomSize !== undefined)
      return { recoverAt: Math.floor(lowest * dropShare), firstViewers: Math.max(lowest, this.roomSize) };
    const highest = Math.max(...this.brackets.map(({ minMissed }) => minMissed));
    const stride = precisionAt(highest, this.search);
    const share = (this.brackets.length * goldenShare) % 1;
    return {
      recoverAt: Math.max(1, Math.floor(lowest * dropShare)),
      firstViewers: Math.max(1, lowest - Math.floor(stride * share)),
      stride,
    };
  }

  private end(ending: Ending): void {
    this.ending = ending === 'unknown' && this.known().length > 0 ? 'found' : ending;
  }

  /** Brackets of the repeats; without any, the current one of the first. */
  private known(): readonly Bracket[] {
    if (this.brackets.length > 0) return this.brackets;
    const { maxMet, minMissed } = this.ascent;
    return minMissed === undefined ? [] : [{ maxMet, minMissed }];
  }
}
