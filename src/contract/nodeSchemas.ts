import { z } from 'zod';
import type { CapacityTest } from '../domain/capacity';
import {
  playProtocols,
  publishProtocols,
  type CapacityView,
  type HostKeyQuestion,
  type LinkView,
  type NodeCapabilities,
} from '../domain/node';
import {
  secretKinds,
  serverFamilies,
  testerKinds,
  type NodeSecrets,
  type NodeSettings,
  type OriginSettings,
  type TesterSettings,
} from '../domain/nodeSettings';
import { pullProtocols } from '../domain/plan/plan';
import { isReference } from '../domain/secrets/references';
import type { TesterMeasured } from '../domain/tester/strength';
import { probeRowIds, type ProbeView } from '../domain/probe';

/** Schemas of what the fleet is described by, where it crosses a process border. What people type is refused when a field is unknown. */

const count = z.number().int().nonnegative();
const address = z.string().trim().min(1).max(300);
const url = z.string().trim().min(1).max(1000);

/** In settings a secret is only named. */
const reference = z
  .string()
  .max(200)
  .refine(isReference, 'is no reference such as $env:NAME or $secret:NAME')
  .optional();

const hostSettings = {
  sshPassword: reference,
  sshPassphrase: reference,
  httpPassword: reference,
  apiSecret: reference,
  ssh: address.optional(),
  keyFile: z.string().min(1).max(1000).optional(),
  jump: address.optional(),
  nodeExporter: url.optional(),
  prometheus: url.optional(),
  instance: address.optional(),
  process: z.string().min(1).max(64).optional(),
  gcLog: z.string().min(1).max(1000).optional(),
  config: z.string().min(1).max(1000).optional(),
  selfSigned: z.boolean().optional(),
  allowCrossOrigin: z.boolean().optional(),
};

export const originSettings: z.ZodType<OriginSettings> = z.strictObject({
  server: z.enum(serverFamilies),
  url: url.optional(),
  whep: url.optional(),
  whip: url.optional(),
  rtmp: url.optional(),
  hls: url.optional(),
  flv: url.optional(),
  ws: url.optional(),
  metrics: url.optional(),
  control: url.optional(),
  user: z.string().min(1).max(200).optional(),
  apiKey: z.string().min(1).max(200).optional(),
  queries: z.record(z.string(), z.string().max(2000)).optional(),
  ...hostSettings,
});

export const testerSettings: z.ZodType<TesterSettings> = z.strictObject({
  tester: z.enum(testerKinds),
  url: url.optional(),
  ...hostSettings,
});

export const nodeSettings: z.ZodType<NodeSettings> = z.union([originSettings, testerSettings]);

export const nodeSecrets: z.ZodType<NodeSecrets> = z.partialRecord(
  z.enum(secretKinds),
  z.string().max(10_000),
);

/** What is known of what a machine's viewers cost it; also kept in a file. */
export const testerMeasured: z.ZodType<TesterMeasured> = z.object({
  costs: z.array(
    z.object({
      protocol: z.enum(pullProtocols),
      corePercent: z.number().positive(),
      kbps: z.number().positive(),
      viewers: count,
      measuredMs: z.number().int().optional(),
    }),
  ),
  selfTest: z
    .object({ packets: z.number().positive(), cpuMs: z.number().positive(), measuredMs: z.number().int() })
    .optional(),
});

export const linkView: z.ZodType<LinkView> = z.object({
  kind: z.enum(['loopback', 'ssh', 'agent', 'api', 'metrics', 'media']),
  label: z.string(),
  state: z.enum(['connecting', 'live', 'lost', 'off']),
  problem: z.string().optional(),
  selfSigned: z.boolean().optional(),
});

export const nodeCapabilities: z.ZodType<NodeCapabilities> = z.object({
  publish: z.array(z.enum(publishProtocols)),
  pull: z.array(z.enum(playProtocols)),
  play: z.array(z.enum(playProtocols)),
  serves: z.array(z.enum(playProtocols)),
  measure: z.array(z.string()),
  terminate: z.boolean(),
});

export const clockView = z.object({ offsetMs: z.number(), uncertaintyMs: z.number() });

export const hostKeyQuestion: z.ZodType<HostKeyQuestion> = z.object({
  state: z.enum(['unknown', 'changed']),
  host: z.string(),
  keyType: z.string(),
  fingerprint: z.string(),
  known: z.object({ fingerprint: z.string(), where: z.string() }).optional(),
});

export const capacityView: z.ZodType<CapacityView> = z.object({
  mbps: z.number(),
  protocol: z.enum(['tcp', 'udp']),
  between: z.string(),
  direction: z.enum(['out', 'in']),
  measuredMs: count,
});

export const nodeRemedy = z.enum([
  'add-ssh',
  'trust-key',
  'compare-keys',
  'enter-secret',
  'reconnect',
  'edit',
]);

export const probeView: z.ZodType<ProbeView> = z.object({
  probe: z.string(),
  address: z.string(),
  startedMs: count,
  isDone: z.boolean(),
  rows: z.array(
    z.object({
      id: z.enum(probeRowIds),
      label: z.string(),
      state: z.enum(['looking', 'found', 'absent', 'failed']),
      found: z.string(),
      detail: z.string().optional(),
      tookMs: z.number().optional(),
      progress: z.string().optional(),
    }),
  ),
  can: nodeCapabilities,
  origins: z.array(z.object({ software: z.string(), detail: z.string(), settings: originSettings })),
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
});

export const capacityTest: z.ZodType<CapacityTest> = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  protocol: z.enum(['tcp', 'udp']),
  seconds: z.number(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  progress: z.number(),
  mbps: z.number().optional(),
  retransmits: z.number().optional(),
  lossPercent: z.number().optional(),
  jitterMs: z.number().optional(),
  problem: z.string().optional(),
});
