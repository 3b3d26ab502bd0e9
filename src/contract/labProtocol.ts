import { z } from 'zod';

/**
 * What the lab does to the way to its viewers, and what it knows of them: part of `agentProtocol`, apart because a crowd of tests and
 * measurements speaks it and the app does not.
 */

const count = z.number().int().nonnegative();

/** All optional: what is not named stays as it is, 0 and false switch off. */
export const labConditions = z.strictObject({
  lossPercent: z.number().min(0).max(100).optional(),
  /** Mean length of a run of lost packets; 0 and 1: each is lost for itself. */
  burstPackets: z.number().min(0).max(100).optional(),
  delayMs: z.number().min(0).max(1000).optional(),
  /** Mean of a further delay, uniform from 0 to twice of it, without packets overtaking each other. */
  jitterMs: z.number().min(0).max(500).optional(),
  /** Share of packets that come behind later ones. */
  reorderPercent: z.number().min(0).max(100).optional(),
  /** NACKs stay unanswered. */
  noRepair: z.boolean().optional(),
  /** For viewers that come from now on. */
  transportCc: z.boolean().optional(),
  seed: count.max(0xffff_ffff).optional(),
  /** From so many viewers on, every viewer's stream stalls for 600 ms of each 1.8 s. */
  degradeFrom: count.max(100_000).optional(),
  /** The first viewer, by number, that is answered with 503. */
  refuseFrom: count.max(100_000).optional(),
  /** What each viewer is said to cost, in microseconds of CPU a second; beyond the budget the stream stalls, and no CPU is burnt for it. */
  cpuPerViewerMicros: z.number().min(0).max(1e9).optional(),
  /** 0: one core's. */
  cpuBudgetMicros: z.number().min(0).max(1e9).optional(),
});
export type LabConditions = z.infer<typeof labConditions>;

/** Of one kind of media: `sent` counts each packet once; `dropped` came not at all, not even a second later. */
const labPackets = z.object({
  sent: count,
  dropped: count,
  repaired: count,
  pending: count,
  reordered: count,
});

/** What a viewer's latest receiver report says of one kind of media. */
const labReport = z.object({
  fractionLostPercent: z.number(),
  cumulativeLost: z.number().int(),
  jitterMs: z.number(),
  roundTripMs: z.number().optional(),
});

/** One viewer as the lab knows it: first what was sent to it, then what was heard of it. */
export const labViewer = z.object({
  /** The last part of the session's resource, as its `Location` says. */
  session: z.string(),
  state: z.enum(['connecting', 'playing', 'ended']),
  address: z.string().optional(),
  arrivedMs: count,
  codecs: z.array(z.string()),
  rtx: z.boolean(),
  /** Whether the figures of what was sent are kept: from the stream's first `lab.conditions` on. */
  measured: z.boolean(),

  video: labPackets,
  audio: labPackets,
  addedDelayMs: z.object({ mean: z.number(), p95: z.number() }),
  jitterMs: z.number(),
  jitterPerFrameMs: z.number(),
  framesWhole: count,
  framesBroken: count,
  fps: z.number(),
  freezes: count,
  frozenMs: z.number(),

  userAgent: z.string(),
  iceRole: z.enum(['controlling', 'controlled']).optional(),
  rtcp: z.record(z.string(), count),
  nacks: count,
  nackedPackets: count,
  plis: count,
  firs: count,
  videoReport: labReport.optional(),
  audioReport: labReport.optional(),
  transportCc: z.object({
    packets: count,
    malformed: count,
    received: count,
    lost: count,
    meanDeltaMs: z.number(),
  }),
});
export type LabViewer = z.infer<typeof labViewer>;
