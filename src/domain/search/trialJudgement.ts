import type { TrialResult } from '../model/limitFound';

/** The result of one trial of one audience size. */
export interface TrialJudgement {
  readonly result: TrialResult;
  /** What decided it: one sentence with its figures. */
  readonly sentence: string;
  /** The node whose machine was busy with other programs, which makes this size inconclusive. */
  readonly busyNode?: string;
  /**
   * The expectation with the least headroom: 1 is at its limit, more is missed. Absent if nothing could be measured.
   */
  readonly nearness?: number;
  /** So close to the limit, or so brief, that another trial may differ. */
  readonly isClose?: boolean;
}

/** Trials of a size whose first one is close, where the majority decides; and the number of unsuccessful ones. */
const maxTrials = 3;

/** The result of all trials of one size. */
export interface SizeDecision {
  readonly result: TrialResult;
  /** They disagreed: the limit may as well be on the other side of this size. */
  readonly isDisputed: boolean;
}

/**
 * Undefined while another trial is needed. A clear first one decides alone. One that is close, or limited by the
 * testers, is repeated until two agree. Trials with too little data have no vote; three of them, or three different
 * ones, are unknown.
 */
export function decide(judgements: readonly TrialJudgement[]): SizeDecision | undefined {
  const telling = judgements.filter(({ result }) => result !== 'unknown');
  const [first] = telling;
  const isPlain = first?.result === 'met' || first?.result === 'missed';
  if (first && telling.length === 1 && isPlain && first.isClose !== true)
    return { result: first.result, isDisputed: false };
  for (const { result } of telling) {
    const agreeing = telling.filter((look) => look.result === result).length;
    if (agreeing >= 2) return { result, isDisputed: agreeing < telling.length };
  }
  const isInVain = telling.length >= maxTrials || judgements.length - telling.length >= maxTrials;
  return isInVain ? { result: 'unknown', isDisputed: true } : undefined;
}
