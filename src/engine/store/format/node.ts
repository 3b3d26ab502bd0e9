import { z } from 'zod';
import { nodeName } from '../../../contract/names';
import { publishProtocols } from '../../../domain/model/node';
import { pullProtocols } from '../../../domain/model/protocols';
import { maxMembers, memberWeights, secretKinds, testerKinds } from '../../../domain/model/nodeSettings';
import { serverFamilies } from '../../../domain/model/serverFamilies';
import { pullPolicies } from '../../../domain/model/kubernetesSettings';
import { isReference } from '../../../domain/secrets/references';
import { count, text, timeMs } from './values';

/** A node as saved in a run and in its plan. */

const address = z.string().trim().min(1).max(300);
const url = z.string().trim().min(1).max(1000);
const path = z.string().min(1).max(1000);
/** Settings only name secrets. */
export const reference = z.string().max(200).refine(isReference).optional();

const hostSettings = {
  sshPassword: reference,
  sshPassphrase: reference,
  httpPassword: reference,
  apiSecret: reference,
  ssh: address.optional(),
  keyFile: path.optional(),
  jump: address.optional(),
  nodeExporter: url.optional(),
  prometheus: url.optional(),
  instance: address.optional(),
  process: z.string().min(1).max(64).optional(),
  gcLog: path.optional(),
  config: path.optional(),
  selfSigned: z.boolean().optional(),
  allowCrossOrigin: z.boolean().optional(),
};

const shortText = z.string().min(1).max(300);
const kubernetesSettings = {
  replicas: count.optional(),
  namespace: shortText.optional(),
  context: shortText.optional(),
  kubeconfig: path.optional(),
  image: z.string().min(1).max(500).optional(),
  pullPolicy: z.enum(pullPolicies).optional(),
  resources: z
    .object({ cpu: shortText.optional(), memory: shortText.optional(), cpuLimit: shortText.optional() })
    .optional(),
  nodeSelector: z.record(shortText, z.string().max(300)).optional(),
  tolerations: z
    .array(
      z.object({
        key: shortText.optional(),
        operator: z.enum(['Exists', 'Equal']).optional(),
        value: z.string().max(300).optional(),
        effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
      }),
    )
    .optional(),
  hostNetwork: z.boolean().optional(),
};

export const nodeSettings = z.union([
  z.object({
    server: z.enum(serverFamilies),
    url: url.optional(),
    whep: url.optional(),
    whip: url.optional(),
    rtmp: url.optional(),
    hls: url.optional(),
    dash: url.optional(),
    flv: url.optional(),
    mjpeg: url.optional(),
    rtsp: url.optional(),
    srt: url.optional(),
    turn: url.optional(),
    ws: url.optional(),
    metrics: url.optional(),
    control: url.optional(),
    user: z.string().min(1).max(200).optional(),
    apiKey: z.string().min(1).max(200).optional(),
    queries: z.record(text, z.string().max(2000)).optional(),
    ...hostSettings,
  }),
  z.object({
    tester: z.enum(testerKinds),
    url: url.optional(),
    hosts: z.array(address).max(maxMembers).optional(),
    inventory: path.optional(),
    user: z.string().min(1).max(64).optional(),
    atLeast: count.optional(),
    weights: z.enum(memberWeights).optional(),
    ...kubernetesSettings,
    ...hostSettings,
  }),
]);

const stream = z.object({
  stream: text,
  source: text,
  viewers: count.optional(),
  degraded: count.optional(),
  videoCodec: text.optional(),
  audioCodec: text.optional(),
  width: count.optional(),
  height: count.optional(),
  fps: z.number().optional(),
  bitrateKbps: z.number().optional(),
  packetsPerSecond: z.number().optional(),
  ageMs: z.number().optional(),
  bFrames: count.optional(),
  nacksPerSecond: z.number().optional(),
  lostPerSecond: z.number().optional(),
});

const machine = z.object({
  system: text,
  kernel: text,
  cpuModel: text,
  cores: count,
  memoryBytes: count,
  openFilesLimit: count.optional(),
  unmeasured: z.array(z.enum(['cpu', 'socket-buffers', 'memory', 'network'])).optional(),
  versions: z.record(text, text),
});

const cost = z.object({
  protocol: z.enum(pullProtocols),
  corePercent: z.number().positive(),
  kbps: z.number().positive(),
  viewers: count,
  measuredMs: z.number().int().optional(),
});

const link = z.object({
  kind: z.enum(['loopback', 'ssh', 'agent', 'api', 'metrics', 'media']),
  label: text,
  state: z.enum(['connecting', 'live', 'lost', 'off']),
  problem: text.optional(),
  selfSigned: z.boolean().optional(),
});

export const savedNode = z.object({
  id: nodeName,
  name: text,
  role: z.enum(['origin', 'tester']),
  server: z.enum(serverFamilies).optional(),
  colourSlot: count,
  state: z.enum(['idle', 'starting', 'live', 'stale', 'failed']),
  problem: text.optional(),
  note: text.optional(),
  software: text.optional(),
  reach: text,
  host: text,
  lastSampleMs: timeMs.optional(),
  streams: z.array(stream),
  streamCount: count.optional(),
  machine: machine.optional(),
  viewerLimit: count.optional(),
  group: z
    .object({
      size: count,
      ready: count,
      members: z.array(text),
      missing: z.array(
        z.object({ index: count, name: text, reason: text.optional(), isFinal: z.boolean().optional() }),
      ),
    })
    .optional(),
  measured: z
    .object({
      costs: z.array(cost),
      selfTest: z
        .object({ packets: z.number().positive(), cpuMs: z.number().positive(), measuredMs: z.number().int() })
        .optional(),
    })
    .optional(),
  settings: nodeSettings.optional(),
  builtIn: z.boolean().optional(),
  links: z.array(link).optional(),
  can: z
    .object({
      publish: z.array(z.enum(publishProtocols)),
      pull: z.array(z.enum(pullProtocols)),
      play: z.array(z.enum(pullProtocols)),
      serves: z.array(z.enum(pullProtocols)),
      measure: z.array(text),
      terminate: z.boolean(),
      capture: z.boolean().optional(),
    })
    .optional(),
  clock: z.object({ offsetMs: z.number(), uncertaintyMs: z.number() }).optional(),
  figureSources: z
    .array(z.object({ of: z.enum(['host', 'process']), figures: text, source: text, others: z.array(text) }))
    .optional(),
  gcSource: text.optional(),
  gcProblem: text.optional(),
  responseMs: z.number().optional(),
  isSlow: z.boolean().optional(),
  fix: z.enum(['add-ssh', 'trust-key', 'compare-keys', 'enter-secret', 'reconnect', 'edit']).optional(),
  hostKey: z
    .object({
      state: z.enum(['unknown', 'changed']),
      host: text,
      keyType: text,
      fingerprint: text,
      known: z.object({ fingerprint: text, where: text }).optional(),
    })
    .optional(),
  capacity: z
    .object({
      mbps: z.number(),
      protocol: z.enum(['tcp', 'udp']),
      between: text,
      direction: z.enum(['out', 'in']),
      measuredMs: count,
    })
    .optional(),
  load: z
    .object({ state: z.enum(['quiet', 'loaded', 'busy']), sentence: text, takenPercent: z.number().optional() })
    .optional(),
  secrets: z.array(z.enum(secretKinds)).optional(),
});
