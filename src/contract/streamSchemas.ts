import { z } from 'zod';
import { alwaysSent, count, unlessZero } from './agentFields';

/** Video and audio properties of a stream, as reported by a server or configured in the lab. */
export const mediaOfStream = {
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
  width: unlessZero(count),
  height: unlessZero(count),
  fps: alwaysSent(z.number()),
  bitrateKbps: alwaysSent(z.number()),
  packetsPerSecond: alwaysSent(z.number()),
};
