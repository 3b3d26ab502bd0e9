import { z } from 'zod';

const count = z.number().int().nonnegative();

/** What is known of a stream's pictures and sound: what a server says of it, and what a lab's own streams are. */
export const mediaOfStream = {
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
  width: count.optional(),
  height: count.optional(),
  fps: z.number().optional(),
  bitrateKbps: z.number().optional(),
  packetsPerSecond: z.number().optional(),
};
