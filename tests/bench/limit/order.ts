/** Kind of limit: streams stall from n viewers on, or each viewer uses part of a budget until it is exhausted. */
export const ceilingKinds = ['degrade', 'budget'] as const;
export type CeilingKind = (typeof ceilingKinds)[number];

/** One run of the benchmark: input of the program that executes it. */
export interface Order {
  readonly kind: CeilingKind;
  /** The first size that fails. */
  readonly ceiling: number;
  readonly fromViewers: number;
  readonly maxViewers: number;
  readonly settleMs: number;
  readonly measureMs: number;
  readonly repeats: number;
  readonly precisionPercent: number;
  readonly ratePerSecond: number;
  /** Artificial cost of a viewer, for a budget. */
  readonly cpuPerViewerMicros: number;
}

/** Its result: one line of JSON. */
export interface LimitRow {
  readonly kind: CeilingKind;
  readonly ceiling: number;
  readonly state: string;
  readonly viewers?: number;
  readonly plusMinus?: number;
  readonly isInside: boolean;
  readonly trials: number;
  readonly repeats: number;
  readonly tookMs: number;
  readonly bottleneck?: string;
  readonly sentence: string;
}
