import type { SeriesId } from '../series/series';
import type { Line, Point } from './line';

/** Resources of the origin; each may be the bottleneck. */
export const resourceIds = [
  'hostCpu',
  'processCpu',
  'memory',
  'processMemory',
  'bandwidth',
  'packets',
  'sockets',
  'openFiles',
  'connections',
  'threads',
  'mediaPorts',
  'ownBudget',
  'gcPause',
] as const;
export type ResourceId = (typeof resourceIds)[number];

/** `measured`: in the run itself. `extrapolated`: beyond it. */
export type Mark = 'measured' | 'extrapolated';

/** A figure with its 95 % interval; an absent end is open. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high?: number;
}

/** The threshold of a resource. */
export interface Threshold {
  /** In the resource's unit. */
  readonly value: number;
  /** Its source, e.g. `80 % of 2 cores`, `940 Mbit/s by iperf3`. */
  readonly text: string;
}

/** The size at which a resource reaches its threshold. */
export interface Ceiling extends Interval {
  readonly mark: Mark;
  /** Multiple of the largest measured size: 20 for 800 viewers from 40. At most 1 if measured. */
  readonly times: number;
}

/** One resource of the origin over the measured audience sizes. */
export interface ResourceEstimate {
  readonly id: ResourceId;
  readonly series: SeriesId;
  readonly points: readonly Point[];
  readonly line: Line;
  /** Growth per viewer with its interval; `low` may be below 0. */
  readonly perViewer: Required<Interval>;
  /** The value at 0 viewers, extrapolated below the smallest size. */
  readonly idle: Required<Interval>;
  /** Whether it grows significantly with the viewers. */
  readonly isRising: boolean;
  readonly threshold?: Threshold;
  /** Present if it grows and has a threshold. */
  readonly ceiling?: Ceiling;
  /** If it does not grow significantly: it reaches its threshold at this size at the earliest. */
  readonly notBefore?: number;
  /** Caveats, one sentence each. */
  readonly notes: readonly string[];
}

/** An audience size that was held. */
export interface MeasuredSize {
  readonly viewers: number;
  readonly seconds: number;
}

/** The capacity estimate from a calibration load. */
export interface Estimate {
  readonly run: string;
  /** Display names. */
  readonly name: string;
  readonly origin: string;
  /** In ascending order of viewers. */
  readonly sizes: readonly MeasuredSize[];
  readonly largest: number;
  readonly machine: {
    readonly cores?: number;
    readonly memoryBytes?: number;
    readonly capacityMbps?: number;
    /** Testers that run on the origin's machine. */
    readonly sharedWith: readonly string[];
  };
  readonly resources: readonly ResourceEstimate[];
  /** Resources that cannot be estimated, with the reason. */
  readonly unknown: readonly { readonly id: ResourceId; readonly sentence: string }[];
  /** The lowest ceiling, and its resource. */
  readonly ceiling?: Ceiling & { readonly resource: ResourceId };
  /** The result in a sentence, or why there is none. */
  readonly sentence: string;
  /** Caveats, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Systems are less linear over a large range: each doubling beyond the largest size adds this share of the growth to
 * the uncertainty.
 */
export const doublingError = 0.04;
