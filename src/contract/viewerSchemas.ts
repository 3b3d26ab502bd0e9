import { z } from 'zod';
import { failureStages } from '../domain/model/run';
import { alwaysSent, count, counter, timeMs, unlessZero } from './agentFields';

/** One viewer as an agent reports it. */

const text = z.string().max(200);

export const failureStage = z.enum(failureStages).meta({
  id: 'Stage',
  description: 'A step of a viewer on its way to media, in order.',
});

const viewerFailure = z
  .object({
    stage: failureStage,
    cause: z.string().meta({ goType: 'Cause' }).describe('Short and constant: failures are grouped by it.'),
    detail: z.string().describe('One sentence with the figures.'),
  })
  .meta({ id: 'Failure', description: 'Where and why a viewer failed.' });

/** Viewers of one job that failed alike. */
export const jobFailure = z
  .object({
    stage: failureStage,
    cause: z.string().meta({ goType: 'Cause' }),
    count,
    example: z
      .object({ viewer: count, timeMs, detail: z.string() })
      .meta({ id: 'FailureExample', description: 'The first of the viewers that failed alike.' }),
  })
  .meta({ id: 'JobFailure', description: 'Counts the failures of one stage and cause.' });
export type JobFailure = z.infer<typeof jobFailure>;

export const viewerState = z
  .enum(['waiting', 'connecting', 'connected', 'failed', 'disconnecting', 'disconnected'])
  .meta({ id: 'ViewerState', description: 'The state of a viewer. It is connected after its first media packet.' });

export const audienceViewer = z
  .object({
    viewer: count.describe('Its number in the job, from 1.'),
    state: viewerState,
    arrivedMs: unlessZero(timeMs).describe('Unix time; absent until it starts.'),
    connectMs: z.number().optional().describe('Since its start, as all times below.'),
    firstFrameMs: z.number().optional(),
    packets: counter.describe('Audio and video; messages with media over RTMP.'),
    bytes: counter.describe('RTP with its header.'),
    lost: counter.describe('After repair.'),
    lossPercent: alwaysSent(z.number()).describe('0 where the protocol loses nothing, as RTMP.'),
    jitterMs: z.number().optional(),
    frames: counter,
    fps: z.number().optional(),
    stalls: counter.describe('Gaps without a complete frame, or without audio, by the degraded rule.'),
    stalledMs: z.number(),
    freezeCount: counter
      .optional()
      .describe(
        'By the rule of W3C webrtc-stats, of whole frames; absent without video, and of other testers than agents.',
      ),
    freezeDurationMs: z.number().optional(),
    roundTripMs: z.number().optional(),
    delayMs: z
      .number()
      .optional()
      .describe(
        "From the time that the sender stamped on its latest packet to the packet's arrival, by the clock of the tester.",
      ),
    delayMethod: z.string().meta({ goType: 'DelayMethod' }).optional().describe('Absent without a delay.'),
    degraded: z.boolean(),
    degradedReason: z.string().meta({ goType: 'DegradedCause' }).optional(),
    degradedMs: unlessZero(z.number()).describe('The total time degraded.'),
    failure: viewerFailure.optional(),
  })
  .meta({ id: 'AudienceViewer', description: 'One viewer of a job. Figures that were not measured are absent.' });
export type AudienceViewer = z.infer<typeof audienceViewer>;

const viewerTimelineEntry = z
  .object({
    atMs: z.number().describe("Since the viewer's start."),
    name: text.describe(
      'arrived, dns, tcp, tls, turn, offer, answer, ice, dtls, play, first-packet, first-frame, degraded, recovered, stall, failed, disconnecting or disconnected; later agents may report more.',
    ),
    forMs: z.number().nonnegative().optional(),
    reason: text.meta({ goType: 'DegradedCause' }).optional().describe('The rule that a degraded viewer violates.'),
  })
  .meta({ id: 'ViewerTimelineEntry', description: "One entry of a viewer's timeline." });
export type ViewerTimelineEntry = z.infer<typeof viewerTimelineEntry>;

const viewerRoute = z
  .object({
    protocol: text.describe('udp, tcp or tls.'),
    local: text.optional(),
    localType: text.optional().describe('host, srflx, prflx or relay; absent where unknown.'),
    remote: text.optional(),
    remoteType: text.optional(),
    relay: text.optional().describe('The TURN server, as HOST:PORT (TRANSPORT), of a relayed viewer.'),
  })
  .meta({
    id: 'ViewerRoute',
    description: 'The network path of the media. For WebRTC it is the selected candidate pair (RFC 8445).',
  });
export type ViewerRoute = z.infer<typeof viewerRoute>;

const viewerStream = z
  .object({
    kind: text.describe(
      'video, audio, repair (retransmissions on a separate stream, RFC 4588) or fec (error correction on a separate stream).',
    ),
    codec: text.optional(),
    width: unlessZero(count).describe("In pixels, of the video's latest keyframe that was read."),
    height: unlessZero(count),
    layers: z
      .array(
        z
          .object({ width: count, height: count, ms: z.number() })
          .meta({ id: 'StreamLayer', description: 'A layer by its size, and for how long it was received.' }),
      )
      .max(16)
      .optional()
      .describe('The layers received of a simulcast or scalable video.'),
    switches: unlessZero(counter).describe('Between layers.'),
    payloadType: unlessZero(count.meta({ goType: 'uint8' })),
    clockRate: unlessZero(z.number()),
    ssrc: unlessZero(count.meta({ goType: 'uint32' })),
    packets: counter.describe('RTP packets; for RTMP, messages with media.'),
    bytes: unlessZero(counter),
    lost: unlessZero(counter),
    repaired: unlessZero(counter),
    late: unlessZero(counter),
    jitterMs: z.number().optional(),
  })
  .meta({
    id: 'ViewerStream',
    description: "One stream that a viewer receives; counters as in webrtc-stats' inbound-rtp.",
  });

/** Details of one viewer beyond its row in the list. */
export const viewerDetail = z
  .object({
    timeline: z.array(viewerTimelineEntry).max(1000),
    missed: unlessZero(count.meta({ goType: 'uint32' })).describe(
      'Number of entries that the agent dropped: it keeps the first 24 changes of a viewer.',
    ),
    route: viewerRoute.optional(),
    streams: z.array(viewerStream).max(64).optional(),
    counters: z
      .record(text, z.number().meta({ goType: 'uint64' }))
      .optional()
      .describe('Further counters by name, except zeros.'),
  })
  .meta({ id: 'ViewerDetail', description: 'Details of one viewer beyond its row in the list.' });
export type ViewerDetail = z.infer<typeof viewerDetail>;

/** A viewer of a run. */
export const viewerRow = audienceViewer.extend({
  tester: z.string(),
  job: z.string(),
  /** Present for the few viewers whose details a run file keeps, see `detailedViewers`. */
  detail: viewerDetail.optional(),
});
export type ViewerRow = z.infer<typeof viewerRow>;
