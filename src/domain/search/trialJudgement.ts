import type { TrialResult } from './found';

/** What one look at one size of the audience says. */
export interface TrialJudgement {
  readonly result: TrialResult;
  /** What decided it: one sentence with its figures. */
  readonly sentence: string;
  /** The node whose machine was busy with other programs, so that nothing can be said of this size. */
  readonly busyNode?: string;
  /** The expectation that has least room: 1 is on its bound, beyond is missed. Absent where nothing could be measured. */
  readonly nearness?: number;
  /** So near the bound, or seen so briefly, that another look may say something else. */
  readonly isClose?: boolean;
}

/** Looks that a size gets where the first one is close, the majority holds; and so many in vain. */
const mostLooks = 3;

/** What the looks at one size come to. */
export interface Decision {
  readonly result: TrialResult;
  /** They did not agree: the limit may as well lie on the other side of this size. */
  readonly isDisputed: boolean;
}

/**
 * Undefined while another look is needed. A clear first look decides alone. What is close, or speaks of the testers instead of the origin,
 * is looked at again until two agree. Looks that saw too little have no vote; three of them, or three that all differ, say nothing.
 */
export function decide(looks: readonly TrialJudgement[]): Decision | undefined {
  const telling = looks.filter(({ result }) => result !== 'unknown');
  const [first] = telling;
  const isPlain = first?.result === 'met' || first?.result === 'missed';
  if (first && telling.length === 1 && isPlain && first.isClose !== true)
    return { result: first.result, isDisputed: false };
  for (const { result } of telling) {
    const agreeing = telling.filter((look) => look.result === result).length;
    if (agreeing >= 2) return { result, isDisputed: agreeing < telling.length };
  }
  const isInVain = telling.length >= mostLooks || looks.length - telling.length >= mostLooks;
  return isInVain ? { result: 'unknown', isDisputed: true } : undefined;
}
