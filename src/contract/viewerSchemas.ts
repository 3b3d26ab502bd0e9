import { z } from 'zod';
import type { ViewerDetail } from '../domain/viewerDetail';

const text = z.string().max(200);
const count = z.number().int().nonnegative();

/** What a tester tells of one viewer, and a run file keeps of some. Bounded: a run file may come from anywhere. */
export const viewerDetail: z.ZodType<ViewerDetail> = z.object({
  timeline: z
    .array(
      z.object({
        atMs: z.number(),
        name: text,
        forMs: z.number().nonnegative().optional(),
        because: text.optional(),
      }),
    )
    .max(1000),
  missed: count.optional(),
  route: z
    .object({
      protocol: text,
      local: text.optional(),
      localType: text.optional(),
      remote: text.optional(),
      remoteType: text.optional(),
    })
    .optional(),
  streams: z
    .array(
      z.object({
        kind: text,
        codec: text.optional(),
        payloadType: count.optional(),
        clockRate: z.number().optional(),
        ssrc: count.optional(),
        packets: count,
        bytes: count.optional(),
        lost: count.optional(),
        repaired: count.optional(),
        late: count.optional(),
        jitterMs: z.number().optional(),
      }),
    )
    .max(64)
    .optional(),
  counters: z.record(text, z.number()).optional(),
});
