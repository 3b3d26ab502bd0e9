import { z } from 'zod';
import { immutable } from './schema';

/** An iperf3 measurement between two nodes, while running and when complete. */
export const capacityTest = immutable(
  z.object({
    id: z.string(),
    /** Node names; data flows from `from` to `to`. */
    from: z.string(),
    to: z.string(),
    protocol: z.enum(['tcp', 'udp']),
    seconds: z.number(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    /** 0 to 1. */
    progress: z.number(),
    mbps: z.number().optional(),
    retransmits: z.number().optional(),
    lossPercent: z.number().optional(),
    jitterMs: z.number().optional(),
    problem: z.string().optional(),
  }),
);
export type CapacityTest = z.infer<typeof capacityTest>;

/** Number of viewers of one stream that a link supports. `bitrateKbps` is what one viewer receives. */
export function viewerCapacity(mbps: number, bitrateKbps: number): number {
  return bitrateKbps > 0 ? Math.floor((mbps * 1000) / bitrateKbps) : 0;
}
