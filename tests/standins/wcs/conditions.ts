/** Simulated faults of a stand-in; all can be changed at run time. */
export interface Conditions {
  /** Delay of REST responses. */
  answerDelayMs: number;
  /** Additional delay of `/pull/pull` and `/pull/push`. */
  pullDelayMs: number;
  /** Each n-th `/pull/pull` is refused with this status. */
  failEvery: { readonly nth: number; readonly status: number } | undefined;
  /** Response for paths that match `answersOf`; statistics have the path `/`. */
  answers: 'normal' | 'never' | 'html' | 'half-json' | 'garbage' | 'drop';
  answersOf: RegExp;
  /** Max streams played at once; further offers never get an answer. */
  ceiling: number;
  /**
   * Number of streams within the CPU limit: with more, responses to players slow down, streams degrade and frame rates
   * fall.
   */
  enoughCpuFor: number;
  /** A session without media for this long after its answer ends as FAILED. */
  iceTimeoutMs: number;
  /** Between two pings of a client; one that misses three is disconnected. */
  pingMs: number;
  /** Ports for pulls by WCS signalling; further pulls are refused. */
  agentPorts: number;
  /** How long a released agent port is not assigned again. */
  quarantineMs: number;
  /** Additional statistics, by group. */
  unknownStatistics: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Omitted parameters or groups. */
  missingStatistics: readonly string[];
  /** Omitted fields of REST objects. */
  missingFields: readonly string[];
  /** A build without JSON and Prometheus statistics and stream metrics. */
  isOld: boolean;
  /** Reported as `server_version` if set. */
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
    iceTimeoutMs: 10_000,
    pingMs: 2000,
    agentPorts: 1000,
    quarantineMs: 0,
    unknownStatistics: {},
    missingStatistics: [],
    missingFields: [],
    isOld: false,
    version: undefined,
    gcPauseMs: undefined,
  };
}
