import type { PlanSearch } from '../plan/plan';
import { Ascent, precisionAt, type Beginning } from './ascent';
import type { LimitFound, Trial } from './found';
import { intervalOf, type Bracket } from './interval';
import { limitSentence } from './limitText';
import { decide, type TrialJudgement } from './trialJudgement';

/** Sizes that the first ascent and each further one may try, close looks counted. Far above what is needed: a bound, not a plan. */
const mostTrialsFirst = 80;
const mostTrialsEach = 40;
/** A later ascent begins at this share of what held, so that it finds the break from fresh. */
const dropShare = 0.7;
/** Neighbouring repeats try other sizes: the golden ratio never comes back to where it was. */
const goldenShare = 0.618;

/** How many trials a search makes at most. */
export function mostTrials({ repeats }: PlanSearch): number {
  return mostTrialsFirst + (repeats - 1) * mostTrialsEach;
}

/** What has to be done next: try a size, let the audience recover at one, or nothing any more. */
export type SearchStep =
  { readonly kind: 'try' | 'recover'; readonly viewers: number } | { readonly kind: 'done' };

type Ending = Exclude<LimitFound['state'], 'searching' | 'stopped'>;

/**
 * Finds the largest audience that meets what is expected. Knows no time: it says which size is to be tried, is told what was seen of it, and
 * says the next, until the break was found `repeats` times.
 */
export class LimitSearch {
  private readonly brackets: Bracket[] = [];
  private readonly trials: Trial[] = [];
  private looks: TrialJudgement[] = [];
  private ascent: Ascent;
  private ending: Ending | undefined;

  constructor(private readonly search: PlanSearch) {
    this.ascent = new Ascent(search, { firstViewers: Math.max(1, search.fromViewers) }, undefined);
  }

  get step(): SearchStep {
    if (this.ending !== undefined) return { kind: 'done' };
    const { step } = this.ascent;
    return step.kind === 'try' || step.kind === 'recover'
      ? { kind: step.kind, viewers: step.viewers }
      : { kind: 'done' };
  }

  /** Whether the size to try is looked at again, without anybody coming or leaving. */
  get isAnotherLook(): boolean {
    return this.looks.length > 0;
  }

  /** What was seen of the size to try, between these moments (Unix ms). */
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
    this.looks.push(judgement);
    const decision = decide(this.looks);
    if (decision) {
      this.looks = [];
      if (decision.result === 'unknown') this.end('unknown');
      else this.ascent.decided(decision, judgement.nearness ?? 0);
    }
    this.moveOn();
    if (this.trials.length >= mostTrials(this.search) && this.ending === undefined) this.end('unknown');
  }

  /** Whether those who were left watch well again. */
  recovered(isWell: boolean): void {
    if (this.step.kind === 'recover') this.ascent.recovered(isWell);
    this.moveOn();
  }

  get found(): LimitFound {
    const { step } = this;
    const interval = intervalOf(this.ending === undefined ? this.brackets : this.known());
    const held = interval?.held ?? (this.ascent.held > 0 ? this.ascent.held : undefined);
    const broke = interval?.broke ?? this.ascent.broke;
    const found = {
      state: this.ending ?? 'searching',
      ...(interval ? { viewers: interval.viewers, plusMinus: interval.plusMinus } : {}),
      ...(held === undefined ? {} : { held }),
      ...(broke === undefined ? {} : { broke }),
      repeats: this.brackets.length,
      trials: [...this.trials],
      ...(step.kind === 'done' ? {} : { now: step }),
    } as const;
    return { ...found, sentence: limitSentence(found) };
  }

  private moveOn(): void {
    if (this.ending !== undefined) return;
    const { step } = this.ascent;
    if (step.kind === 'try' || step.kind === 'recover') return;
    if (step.kind === 'found') this.broke(step.bracket);
    // An earlier repeat has found the break; that this one did not says that it moves, or that testers do.
    else this.end(this.brackets.length > 0 ? 'found' : step.kind);
  }

  private broke(bracket: Bracket): void {
    this.brackets.push(bracket);
    if (this.brackets.length >= this.search.repeats) return this.end('found');
    this.ascent = new Ascent(this.search, this.afresh(), this.ascent.testersGaveOutAt);
  }

  /** Well below all that was found, then up through it by steps of the precision, at sizes that were not tried yet. */
  private afresh(): Beginning {
    const lowest = Math.min(...this.brackets.map(({ held }) => held));
    const highest = Math.max(...this.brackets.map(({ broke }) => broke));
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

  /** Brackets of the repeats; where there are none, what the first one has come to until now. */
  private known(): readonly Bracket[] {
    if (this.brackets.length > 0) return this.brackets;
    const { held, broke } = this.ascent;
    return broke === undefined ? [] : [{ held, broke }];
  }
}
