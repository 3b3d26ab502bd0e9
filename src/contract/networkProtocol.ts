import { z } from 'zod';
import { defaultQueueMs, networkLimits } from '../domain/model/network';
import { count, counter } from './agentFields';

/** The simulated network of a job's viewers, and what it did. Part of the agent protocol. */

/** Share of all packets, or of those in each state of the model. */
const percent = z.number().min(0).max(100);

const burst = z
  .strictObject({
    p: percent.describe('Good to bad, per packet.'),
    r: percent.describe('Bad to good, per packet.'),
    h: percent.describe('A packet passes in the bad state; netem: 1-h is its loss.'),
    k: percent.describe('A packet passes in the good state; netem: 1-k is its loss.'),
  })
  .meta({ id: 'NetworkBurst', description: "Burst loss by the Gilbert-Elliott model, as in netem's loss gemodel." });

const direction = z
  .strictObject({
    rateKbps: z
      .number()
      .positive()
      .max(networkLimits.rateKbps)
      .optional()
      .describe('The rate of the bottleneck, counted with IP and transport headers; absent: unlimited.'),
    queueMs: count.min(1).max(networkLimits.queueMs).optional().meta({
      default: defaultQueueMs,
      description: 'The maximum wait in front of the bottleneck; later packets are dropped.',
    }),
    queuePackets: count.min(1).max(networkLimits.queuePackets).optional().describe('The maximum that waits there.'),
    delayMs: z.number().min(0).max(networkLimits.delayMs).optional(),
    jitterMs: z.number().min(0).max(networkLimits.jitterMs).optional().describe('The delay varies by ± this.'),
    lossPercent: percent.optional().describe('Random loss; not for TCP.'),
    burst: burst.optional().describe('In addition; not for TCP.'),
  })
  .meta({ id: 'NetworkDirection', description: 'One direction of a simulated network.' });

const step = z
  .strictObject({
    afterMs: count
      .meta({ goType: 'int64' })
      .describe("Since the job's start; the first one is in force from there on."),
    down: direction.describe('To the viewers.'),
    up: direction.describe('From the viewers.'),
  })
  .meta({ id: 'NetworkStep', description: 'A simulated network from a time on.' });

export const jobNetwork = z
  .strictObject({
    sharedBy: count
      .min(1)
      .max(networkLimits.sharedBy)
      .optional()
      .meta({ default: 1, description: 'Viewers per bottleneck: they share its rate and its queue.' }),
    steps: z.array(step).min(1).max(networkLimits.steps).describe('In order of time.'),
  })
  .meta({ id: 'JobNetwork', description: 'The simulated network between the server and the viewers of a job.' });
export type JobNetwork = z.infer<typeof jobNetwork>;

const directionSample = z
  .object({
    kbps: z.number().describe('That passed, with IP and transport headers.'),
    limitKbps: z.number().optional().describe('The total rate of all bottlenecks in use; absent if unlimited.'),
    randomDrops: counter,
    burstDrops: counter,
    queueDrops: counter,
    queueP50Ms: z.number().optional().describe('Wait in front of the bottleneck, median of the packets that passed.'),
    queueMaxMs: z.number().optional(),
  })
  .meta({ id: 'NetworkDirectionSample', description: 'What a simulated network did in one direction and interval.' });

export const networkSample = z
  .object({ down: directionSample, up: directionSample })
  .meta({ id: 'NetworkSample', description: 'What the simulated network of a job did in an interval.' });
export type NetworkSample = z.infer<typeof networkSample>;
