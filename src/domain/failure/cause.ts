import type { FailureStage, TesterLimitKind } from '../model/run';

/** What people read of a cause. */
export interface CauseText {
  /** What happened, as a clause that starts a sentence or follows a colon. */
  readonly title: string;
  /** What that means and what to do, one sentence. */
  readonly advice: string;
}

/** A cause of failure. */
export interface Cause extends CauseText {
  /** Where the words differ at a stage. */
  readonly at?: Partial<Record<FailureStage, CauseText>>;
  /**
   * `refusal`: the server responded so, and no tester is too slow to receive that. `late`: likewise, but a server also
   * responds so after it waited for something that had no CPU. Absent for what either side may have caused.
   */
  readonly response?: 'refusal' | 'late';
  /** The resource of the tester that ran out. */
  readonly testerLimit?: TesterLimitKind;
  /** Only the console reports it, or only agents of older versions did: Go has no constant for it. */
  readonly isOutsideAgent?: true;
}
