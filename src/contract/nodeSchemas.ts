import { z } from 'zod';
import { hostKeyQuestion, nodeCapabilities } from '../domain/model/node';
import { secretKinds, type NodeSecrets, type NodeSettings } from '../domain/model/nodeSettings';
import { originFields, testerFields } from '../domain/plan/fields/nodes';
import { probeRowIds, type ProbeView } from '../domain/model/probe';
import { exactly } from './exactly';
import { fieldsSchema } from './fieldSchemas';
import { pullProtocols } from '../domain/model/protocols';

/** Schemas of the fleet's settings at process borders. Unknown fields in user input are rejected. */

const count = z.number().int().nonnegative();
export const originSettings = fieldsSchema(originFields);
export const testerSettings = fieldsSchema(testerFields);
export const nodeSettings = exactly<NodeSettings>()(z.union([originSettings, testerSettings]));

export const nodeSecrets = exactly<NodeSecrets>()(z.partialRecord(z.enum(secretKinds), z.string().max(10_000)));

export const probeView = exactly<ProbeView>()(
  z.object({
    probe: z.string(),
    address: z.string(),
    startedMs: count,
    isDone: z.boolean(),
    isUnknownHost: z.literal(true).optional(),
    rows: z.array(
      z.object({
        id: z.enum(probeRowIds),
        label: z.string(),
        state: z.enum(['probing', 'found', 'absent', 'failed']),
        found: z.string(),
        detail: z.string().optional(),
        tookMs: z.number().optional(),
        progress: z.string().optional(),
      }),
    ),
    can: nodeCapabilities,
    origins: z.array(
      z.object({ software: z.string(), detail: z.string(), settings: originSettings, stream: z.string().optional() }),
    ),
    plays: z
      .array(
        z.object({
          protocol: z.enum(pullProtocols),
          address: z.string(),
          stream: z.string(),
          firstFrameMs: z.number().optional(),
          failed: z.string().optional(),
        }),
      )
      .optional(),
    tester: testerSettings.optional(),
    suggestedName: z.string(),
    suggestedRole: z.enum(['origin', 'tester', 'both']),
    needs: z.array(
      z.object({
        kind: z.enum([...secretKinds, 'user', 'apiKey']),
        sentence: z.string(),
      }),
    ),
    hostKey: hostKeyQuestion.optional(),
  }),
);
