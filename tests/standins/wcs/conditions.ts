/** What a stand-in is told to do wrong; all of it can be changed while it runs. */
export interface Conditions {
  /** REST answers come this much later. */
  answerDelayMs: number;
  /** `/pull/pull` and `/pull/push` answer this much later. */
  pullDelayMs: number;
  /** Each n-th `/pull/pull` is refused with this status. */
  failEvery: { readonly nth: number; readonly status: number } | undefined;
  /** How paths that match `answersOf` are answered; statistics have the path `/`. */
  answers: 'normal' | 'never' | 'html' | 'half-json' | 'garbage' | 'drop';
  answersOf: RegExp;
  /** Streams that can be played at once; whoever comes later waits for an answer that never comes. */
  ceiling: number;
  /** Streams that the CPU is enough for: with more, answers to players get slow, streams degrade and frame rates sink. */
  enoughCpuFor: number;
  /** Statistics that exist besides, by group. */
  unknownStatistics: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Parameters or whole groups that are left out. */
  missingStatistics: readonly string[];
  /** Fields that REST objects do not have. */
  missingFields: readonly string[];
  /** A build that knows neither JSON nor Prometheus statistics nor metrics of streams. */
  isOld: boolean;
  /** Told as `server_version` when it is set. */
  version: string | undefined;
  gcPauseMs: number | undefined;
}

export function goodConditions(): Conditions {
  return {
    answerDelayMs: 0,
    pullDelayMs: 0,
    failEvery: undefined,
    answers: 'normal',
    answersOf: /^/,
    ceiling: Number.POSITIVE_INFINITY,
    enoughCpuFor: Number.POSITIVE_INFINITY,
    unknownStatistics: {},
    missingStatistics: [],
    missingFields: [],
    isOld: false,
    version: undefined,
    gcPauseMs: undefined,
  };
}
