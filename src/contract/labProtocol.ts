import { z } from 'zod';
import { count, counter, maybe, timeMs } from './agentFields';

/**
 * Network conditions that the lab applies, and its figures per viewer. Part of the agent protocol, in its own file
 * because many tests and measurements use it and the app does not.
 */

/** First words of the lab's page at `/`, by which it is identified. */
export const labGreeting = "This is Fullhouse's lab";

const percent = z.number().min(0).max(100);
const viewers = count.max(100_000);
const micros = z.number().min(0).max(1e9);

/** All optional: absent values stay as they are, 0 and false switch off. */
export const labConditions = z.strictObject({
  lossPercent: percent.optional(),
  burstPackets: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('Mean length of a burst of lost packets; 0 and 1: independent losses.'),
  delayMs: z.number().min(0).max(1000).optional(),
  jitterMs: z
    .number()
    .min(0)
    .max(500)
    .optional()
    .describe('Mean of an additional delay, uniform from 0 to twice the mean, without reordering.'),
  reorderPercent: percent.optional().describe('Share of reordered packets.'),
  noRepair: maybe(z.boolean()).describe('NACKs are ignored.'),
  transportCc: maybe(z.boolean()).describe('For viewers that connect from now on.'),
  seed: count.max(0xffff_ffff).meta({ goType: 'uint32' }).optional(),
  degradeFrom: viewers
    .optional()
    .describe("From this number of viewers on, every viewer's stream stalls for 600 ms of each 1.8 s."),
  refuseFrom: viewers.optional().describe('Number of the first viewer that is refused with 503.'),
  cpuPerViewerMicros: micros
    .optional()
    .describe(
      'Simulated cost per viewer, in microseconds of CPU a second; beyond the budget the stream stalls. No CPU is used for it.',
    ),
  cpuBudgetMicros: micros.optional().describe('0: that of one core.'),
});
export type LabConditions = z.infer<typeof labConditions>;

const labPackets = z
  .object({
    sent: counter.describe('Each packet once, whatever its fate.'),
    dropped: counter.describe('Lost on the path and not repaired within a second, or beyond repair.'),
    repaired: counter.describe('Lost on the path, and arrived after a request.'),
    pending: counter.describe('Lost and may still be repaired, or delayed.'),
    reordered: counter.describe('Arrived after later ones.'),
  })
  .meta({ id: 'LabPackets', description: "One kind of media's packets." });

const labDelay = z
  .object({ mean: z.number(), p95: z.number() })
  .meta({ id: 'LabDelay', description: 'In milliseconds, of the arrived packets.' });

const labSent = z
  .object({
    video: labPackets,
    audio: labPackets,
    addedDelayMs: labDelay.describe('How long packets were held, first sends only.'),
    jitterMs: z.number().describe("RFC 3550's over all video packets."),
    jitterPerFrameMs: z.number().describe('Uses only the first packet of each frame, as browsers do.'),
    framesComplete: counter.describe('Video frames, from the first complete keyframe on.'),
    framesBroken: counter,
    fps: z.number().describe('The rate of complete frames between the first and the last.'),
    stalls: counter,
    stalledMs: z.number(),
  })
  .meta({ id: 'LabSent', description: 'What was really sent to a viewer.' });

const labReport = z
  .object({
    fractionLostPercent: z.number(),
    cumulativeLost: z.number().int().meta({ goType: 'int32' }),
    jitterMs: z.number(),
    roundTripMs: z.number().optional().describe('From LSR and DLSR; absent before the first sender report.'),
  })
  .meta({ id: 'LabReport', description: "A viewer's latest receiver report for one kind of media." });

const labTransportCc = z
  .object({
    packets: count,
    malformed: count,
    received: count.describe('Reports on our packets; one that is reported twice counts twice.'),
    lost: count,
    meanDeltaMs: z.number().describe('Between the arrivals of two consecutive packets in one report.'),
  })
  .meta({ id: 'LabTransportCC', description: "A viewer's transport-wide feedback." });

const labReceived = z
  .object({
    userAgent: z.string(),
    iceRole: z.enum(['controlling', 'controlled']).optional().describe('Absent before its first check.'),
    rtcp: z.record(z.string(), count).describe('Packets by type, e.g. "201" for receiver reports.'),
    nacks: count,
    nackedPackets: count.describe('Requested packets, counted at each request.'),
    plis: count,
    firs: count,
    videoReport: labReport.optional(),
    audioReport: labReport.optional(),
    transportCc: labTransportCc,
  })
  .meta({ id: 'LabReceived', description: 'What a viewer reported.' });

/** One viewer as seen by the lab: first what was sent to it, then what it reported. */
export const labViewer = z
  .object({
    session: z.string().describe("The last part of the session's resource, as in its Location."),
    state: z.enum(['connecting', 'playing', 'ended']),
    address: z.string().optional(),
    arrivedMs: timeMs,
    codecs: z.array(z.string()).describe('Those of its offer.'),
    rtx: z.boolean().describe('Lost video is retransmitted as RTX; else as the original packet.'),
    measured: z
      .boolean()
      .describe("Whether figures of sent packets are recorded: from the stream's first lab.conditions on."),
  })
  .and(labSent)
  .and(labReceived)
  .meta({ id: 'LabViewer', description: 'One viewer as seen by the lab: what was sent to it, and what it reported.' });
export type LabViewer = z.infer<typeof labViewer>;
