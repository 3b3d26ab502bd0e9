import { z } from 'zod';
import { localSources } from '../domain/model/localSources';
import { relayProtocols } from '../domain/model/publishMedia';
import * as s from './schemas';

/** Publications of the window: it encodes, and opens no connections but media; the engine does the rest. */

const done = z.object({ done: z.literal(true) });
const session = z.string();
const order = z.strictObject({ node: s.nodeName, stream: s.streamName, source: z.enum(localSources) });
const published = z.object({ session, job: z.string() });
const figure = z.number().nonnegative().optional();

/** What the window measures of a publication, over the last second. Absent: not measured. */
const publishedFigures = z.strictObject({
  /** Video and audio with headers of RTP or the container, kbit/s. */
  bitrateKbps: figure,
  fps: figure,
  rttMs: figure,
  /** Loss of the video, by the server's latest reports. */
  lossPercent: figure,
  /** Packets sent again on the server's requests. */
  retransmissions: figure,
  /** PLI and FIR of the server. */
  keyframeRequests: figure,
  /** Share of the second in which CPU or bandwidth limited the quality. */
  limitedPercent: figure,
});
export type PublishedFigures = z.infer<typeof publishedFigures>;

export const publishCalls = {
  /** Over WHIP where the server has it; each session ends with `signal.end`. */
  'signal.whip': {
    input: order.extend({
      /** With the server's own signalling, although it may have WHIP too. */
      protocol: z.enum(['whip', 'wcs']).optional(),
      offerSdp: z.string().max(100_000),
    }),
    output: published.extend({ answerSdp: z.string() }),
  },
  /** Over RTMP or SRT: ffmpeg on this machine repackages the stream. */
  'publish.relay': {
    /** Without a protocol over the first one that the server takes. */
    input: order.extend({ protocol: z.enum(relayProtocols).optional() }),
    output: published,
  },
  /** Matroska with H.264 and Opus for a session of `publish.relay`. */
  'publish.relayData': {
    input: z.strictObject({ session, data: s.bytes() }),
    /** What ffmpeg has sent since the start, bytes with the container. */
    output: z.object({ sent: z.object({ frames: z.number(), bytes: z.number() }).optional() }),
  },
  /**
   * In a room of LiveKit, whose client signals over connections of `player.connect` with this session. The window has no
   * token.
   */
  'publish.room': { input: order, output: published.extend({ url: z.string() }) },
  'publish.figures': { input: z.strictObject({ session, figures: publishedFigures }), output: done },
} as const;
