import { z } from 'zod';
import { pullProtocols } from './protocols';
import { count, immutable } from './schema';

/** The cost of one viewer on a tester's agent, and its source. */
const viewerCost = immutable(
  z.object({
    protocol: z.enum(pullProtocols),
    /** CPU of the agent's process per viewer, in percent of one core. */
    corePercent: z.number().positive(),
    /** Bit rate of the measured stream. */
    kbps: z.number().positive(),
    /** Number of viewers in the measurement; 0 if calculated. */
    viewers: count,
    /** Time of the measurement in a run, Unix ms; absent if calculated. */
    measuredMs: z.number().int().optional(),
  }),
);
export type ViewerCost = z.infer<typeof viewerCost>;

/** A self-test of an agent over two seconds, see `docs/agent-protocol.md`. */
const selfTest = immutable(
  z.object({ packets: z.number().positive(), cpuMs: z.number().positive(), measuredMs: z.number().int() }),
);
export type SelfTest = z.infer<typeof selfTest>;

/** Data of a machine that runs viewers; also stored in a file. */
export const testerMeasured = immutable(
  z.object({
    /** From earlier runs, at most one per protocol. */
    costs: z.array(viewerCost),
    selfTest: selfTest.optional(),
  }),
);
export type TesterMeasured = z.infer<typeof testerMeasured>;
