/** The findings of a preflight. */
export const preflightResults = ['pass', 'warn', 'fail', 'unread'] as const;
/** `unread`: it could not be read, so it is neither good nor bad. */
export type PreflightResult = (typeof preflightResults)[number];

/** One rule on one node. */
export interface PreflightFinding {
  /** Id of the rule in the catalogue, e.g. `kernel.udp-buffers`. */
  readonly rule: string;
  /** What it checks, a few words, e.g. `UDP buffers`. */
  readonly title: string;
  /** The plan's name of the node. */
  readonly node: string;
  readonly result: PreflightResult;
  /** A complete sentence with the value read, and the recommended one if it differs. */
  readonly sentence: string;
  /** Why it matters, one sentence. */
  readonly why: string;
  /** The command or setting that fixes it, to be copied; absent if no fix is needed. */
  readonly fix?: string;
  /** The source of the rule. */
  readonly source: string;
}

export interface PreflightReport {
  /** Unix ms. */
  readonly timeMs: number;
  readonly findings: readonly PreflightFinding[];
}
