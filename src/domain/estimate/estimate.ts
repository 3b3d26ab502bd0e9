import type { SeriesId } from '../series';
import type { Line, Point } from './line';

/** What of the origin is looked at; each may be what gives out first. */
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

/** `measured`: seen in the run itself. `extrapolated`: where the line leads beyond it. */
export type Mark = 'measured' | 'extrapolated';

/** A figure with its interval of 95 %; an absent end is open. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high?: number;
}

/** Up to where a resource may be used. */
export interface Threshold {
  /** In the resource's unit. */
  readonly value: number;
  /** Where it comes from, e.g. `80 % of 2 cores`, `940 Mbit/s by iperf3`. */
  readonly text: string;
}

/** The size at which a resource reaches its threshold. */
export interface Ceiling extends Interval {
  readonly mark: Mark;
  /** How many times the largest size that was seen: 20 for 800 viewers from 40. At most 1 where it was measured. */
  readonly times: number;
}

/** One resource of the origin over the sizes of the audience that were seen. */
export interface ResourceEstimate {
  readonly id: ResourceId;
  readonly series: SeriesId;
  readonly points: readonly Point[];
  readonly line: Line;
  /** Growth per viewer with its interval; `low` may be below 0. */
  readonly perViewer: Required<Interval>;
  /** The value at nobody, where the line leads below the smallest size. */
  readonly idle: Required<Interval>;
  /** Whether it grows with the viewers beyond chance. */
  readonly isRising: boolean;
  readonly threshold?: Threshold;
  /** Present where it grows and has a threshold. */
  readonly ceiling?: Ceiling;
  /** Where it does not grow beyond chance: it reaches its threshold at this size at the earliest. */
  readonly notBefore?: number;
  /** What has to be known to read it, one sentence each. */
  readonly notes: readonly string[];
}

/** A size of the audience that was held. */
export interface SizeSeen {
  readonly viewers: number;
  readonly seconds: number;
}

/** What a small load says of a larger one. */
export interface Estimate {
  readonly run: string;
  /** Names for people. */
  readonly name: string;
  readonly origin: string;
  /** In ascending order of viewers. */
  readonly sizes: readonly SizeSeen[];
  readonly largest: number;
  readonly machine: {
    readonly cores?: number;
    readonly memoryBytes?: number;
    readonly capacityMbps?: number;
    /** Testers that run on the origin's machine. */
    readonly sharedWith: readonly string[];
  };
  readonly resources: readonly ResourceEstimate[];
  /** Resources that can't be told, with the reason. */
  readonly unknown: readonly { readonly id: ResourceId; readonly sentence: string }[];
  /** The lowest ceiling, and what gives out there. */
  readonly ceiling?: Ceiling & { readonly resource: ResourceId };
  /** The answer in a sentence, or why there is none. */
  readonly sentence: string;
  /** What has to be known to read it, one sentence each. */
  readonly notes: readonly string[];
}

/** Far away nothing is quite as even as nearby: each doubling beyond the largest size adds this part of the growth to the uncertainty. */
export const doublingError = 0.04;
