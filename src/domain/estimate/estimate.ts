import { z } from 'zod';
import { immutable, seriesId } from '../model/schema';
import { line, point } from './line';

/** Resources of the origin; each may be the bottleneck. */
const resourceIds = [
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

/** A figure with its 95 % interval. */
const interval = immutable(z.object({ value: z.number(), low: z.number(), high: z.number() }));

/** The threshold of a resource. */
const threshold = immutable(
  z.object({
    /** In the resource's unit. */
    value: z.number(),
    /** Its source, e.g. `80 % of 2 cores`, `940 Mbit/s by iperf3`. */
    text: z.string(),
  }),
);
export type Threshold = z.infer<typeof threshold>;

/** The size at which a resource reaches its threshold. */
const ceiling = z.object({
  value: z.number(),
  low: z.number(),
  /** Absent: open. */
  high: z.number().optional(),
  /** `measured`: in the run itself. `extrapolated`: beyond it. */
  mark: z.enum(['measured', 'extrapolated']),
  /** Multiple of the largest measured size: 20 for 800 viewers from 40. At most 1 if measured. */
  times: z.number(),
});
export type Ceiling = Readonly<z.infer<typeof ceiling>>;
export type CeilingMark = Ceiling['mark'];
export type EstimatedInterval = Pick<Ceiling, 'value' | 'low' | 'high'>;

/** One resource of the origin over the measured audience sizes. */
const resource = immutable(
  z.object({
    id: z.enum(resourceIds),
    series: seriesId,
    points: z.array(point),
    line,
    /** Growth per viewer with its interval; `low` may be below 0. */
    perViewer: interval,
    /** The value at 0 viewers, extrapolated below the smallest size. */
    idle: interval,
    /** Whether it grows significantly with the viewers. */
    isRising: z.boolean(),
    threshold: threshold.optional(),
    /** Present if it grows and has a threshold. */
    ceiling: ceiling.optional(),
    /** In place of a ceiling: its interval is wider than its value, so it is no answer. */
    vague: ceiling.optional(),
    /** If it does not grow significantly: it reaches its threshold at this size at the earliest. */
    notBefore: z.number().optional(),
    /** Caveats, one sentence each. */
    notes: z.array(z.string()),
  }),
);
export type ResourceEstimate = z.infer<typeof resource>;

/** An audience size that was held. */
const measuredSize = immutable(z.object({ viewers: z.number(), seconds: z.number() }));
export type MeasuredSize = z.infer<typeof measuredSize>;

/** The capacity estimate from a calibration load. */
export const estimate = immutable(
  z.object({
    run: z.string(),
    /** Display names. */
    name: z.string(),
    origin: z.string(),
    /** In ascending order of viewers. */
    sizes: z.array(measuredSize),
    largest: z.number(),
    machine: z.object({
      cores: z.number().optional(),
      memoryBytes: z.number().optional(),
      capacityMbps: z.number().optional(),
      /** Testers that run on the origin's machine. */
      sharedWith: z.array(z.string()),
    }),
    resources: z.array(resource),
    /** Resources that cannot be estimated, with the reason. */
    unknown: z.array(z.object({ id: z.enum(resourceIds), sentence: z.string() })),
    /** Other programs: their mean use of the origin's CPU in percent of all cores, subtracted, and the seconds excluded for them. */
    otherPrograms: z.object({ cpuPercent: z.number(), excludedSeconds: z.number(), sentence: z.string() }).optional(),
    /** Why the run ended before all sizes were held. */
    stopped: z.string().optional(),
    /** The lowest ceiling, and its resource. */
    ceiling: ceiling.extend({ resource: z.enum(resourceIds) }).optional(),
    /** The result in a sentence, or why there is none. */
    sentence: z.string(),
    /** Caveats, one sentence each. */
    notes: z.array(z.string()),
  }),
);
export type Estimate = z.infer<typeof estimate>;

/**
 * Systems are less linear over a large range: each doubling beyond the largest size adds this share of the growth to
 * the uncertainty.
 */
export const doublingError = 0.04;
