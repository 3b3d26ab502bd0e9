/** What was seen of one size of the audience. `unknown`: too little was measured to say. */
export type TrialResult = 'met' | 'missed' | 'tester-limited' | 'unknown';

/** One size of the audience that a search has tried. */
export interface Trial {
  readonly viewers: number;
  /** Which of the repeats it belongs to, from 1. */
  readonly repeat: number;
  /** What was watched, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly result: TrialResult;
  /** What decided it: one sentence with its figures. */
  readonly sentence: string;
  /** The node whose machine was busy with other programs, so that nothing can be said of this size. */
  readonly busyNode?: string;
}

/** What can be the first to give out. */
export const firstToGiveOut = [
  'origin-cpu',
  'origin-memory',
  'origin-gc',
  'origin-bandwidth',
  'origin-sockets',
  'origin-refuses',
  'tester',
  'network',
  'unknown',
] as const;
export type FirstToGiveOut = (typeof firstToGiveOut)[number];

/** The state of a search, and its result at the end. */
export interface LimitFound {
  readonly state: 'searching' | 'found' | 'not-reached' | 'tester-limited' | 'unknown' | 'stopped';
  /** The middle of the interval; absent while there is none. */
  readonly viewers?: number;
  /** Half its width, whole viewers: the limit lies within `viewers` +- this. */
  readonly plusMinus?: number;
  /** The largest size that always held and the smallest that did not. */
  readonly held?: number;
  readonly broke?: number;
  /** Repeats that are finished. */
  readonly repeats: number;
  readonly trials: readonly Trial[];
  /** While it searches: the size that is tried, or the one at which the audience recovers from a break. */
  readonly now?: { readonly kind: 'try' | 'recover'; readonly viewers: number };
  readonly gaveOut?: {
    readonly what: FirstToGiveOut;
    readonly sentence: string;
    readonly node?: string;
    readonly timeMs: number;
  };
  /** One sentence, e.g. `262 +- 6 viewers, 3 repeats; CPU of origin gave out first.` */
  readonly sentence: string;
}
