/** Result of one audience size. `unknown`: too little was measured. */
export type TrialResult = 'met' | 'missed' | 'tester-limited' | 'unknown';

/** One audience size that a search has tried. */
export interface Trial {
  readonly viewers: number;
  /** Number of its repeat, from 1. */
  readonly repeat: number;
  /** The measured interval, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly result: TrialResult;
  /** What decided it: one sentence with its figures. */
  readonly sentence: string;
  /** The node whose machine was busy with other programs, which makes this size inconclusive. */
  readonly busyNode?: string;
}

/** Possible bottlenecks. */
export const bottlenecks = [
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
export type Bottleneck = (typeof bottlenecks)[number];

/** The state of a search, and its result at the end. */
export interface LimitResult {
  readonly state: 'searching' | 'found' | 'not-reached' | 'tester-limited' | 'unknown' | 'stopped';
  /** The middle of the interval; absent while unknown. */
  readonly viewers?: number;
  /** Half its width, whole viewers: the limit lies within `viewers` +- this. */
  readonly plusMinus?: number;
  /** The largest size that always held and the smallest that did not. */
  readonly maxMet?: number;
  readonly minMissed?: number;
  /** Completed repeats. */
  readonly repeats: number;
  readonly trials: readonly Trial[];
  /** During the search: the size being tried, or the one at which the audience recovers from a break. */
  readonly now?: { readonly kind: 'try' | 'recover'; readonly viewers: number };
  readonly bottleneck?: {
    readonly what: Bottleneck;
    readonly sentence: string;
    readonly node?: string;
    readonly timeMs: number;
  };
  /** One sentence, e.g. `262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.` */
  readonly sentence: string;
}
