/** What a look before the load has found. */
export const preflightResults = ['pass', 'warn', 'fail', 'unread'] as const;
/** `unread`: it could not be read, which is no word on whether it is good. */
export type PreflightResult = (typeof preflightResults)[number];

/** One rule on one node. */
export interface PreflightFinding {
  /** Id of the rule in the catalogue, e.g. `kernel.udp-buffers`. */
  readonly rule: string;
  /** What it looks at, a few words, e.g. `UDP buffers`. */
  readonly title: string;
  /** The plan's name of the node. */
  readonly node: string;
  readonly result: PreflightResult;
  /** A whole sentence with what was read, and with what would be good where it is not. */
  readonly sentence: string;
  /** Why it matters, one sentence. */
  readonly why: string;
  /** The command or setting that mends it, to be copied; absent where nothing is to mend. */
  readonly fix?: string;
  /** Where the rule comes from. */
  readonly source: string;
}

export interface PreflightReport {
  /** Unix ms. */
  readonly timeMs: number;
  readonly findings: readonly PreflightFinding[];
}
