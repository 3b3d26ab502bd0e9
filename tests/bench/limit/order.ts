/** How the lab gives out: its streams stall from n viewers on, or each viewer takes from a budget that then is used up. */
export const ceilingKinds = ['degrade', 'budget'] as const;
export type CeilingKind = (typeof ceilingKinds)[number];

/** One run of the measurement, as the program that makes it is told. */
export interface Order {
  readonly kind: CeilingKind;
  /** The first size that does not hold. */
  readonly ceiling: number;
  readonly fromViewers: number;
  readonly mostViewers: number;
  readonly settleMs: number;
  readonly measureMs: number;
  readonly repeats: number;
  readonly precisionPercent: number;
  readonly ratePerSecond: number;
  /** Made cost of a viewer, for a budget. */
  readonly cpuPerViewerMicros: number;
}

/** What came of it: one line of JSON. */
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
  readonly gaveOut?: string;
  readonly sentence: string;
}
