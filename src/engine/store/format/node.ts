import { z } from 'zod';
import { nodeName } from '../../../contract/names';
import {
  capacityView,
  groupView,
  hostKeyQuestion,
  linkView,
  machineFingerprint,
  nodeCapabilities,
} from '../../../domain/model/node';
import { testerMeasured } from '../../../domain/model/testerMeasured';
import { maxMembers, memberWeights, perSecretKind, secretKinds, testerKinds } from '../../../domain/model/nodeSettings';
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
  ...perSecretKind(() => reference),
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
  machine: machineFingerprint.optional(),
  viewerLimit: count.optional(),
  group: groupView.optional(),
  measured: testerMeasured.optional(),
  settings: nodeSettings.optional(),
  builtIn: z.boolean().optional(),
  links: z.array(linkView).optional(),
  can: nodeCapabilities.optional(),
  clock: z.object({ offsetMs: z.number(), uncertaintyMs: z.number() }).optional(),
  figureSources: z
    .array(z.object({ of: z.enum(['host', 'process']), figures: text, source: text, others: z.array(text) }))
    .optional(),
  gcSource: text.optional(),
  gcProblem: text.optional(),
  responseMs: z.number().optional(),
  isSlow: z.boolean().optional(),
  fix: z.enum(['add-ssh', 'trust-key', 'compare-keys', 'enter-secret', 'reconnect', 'edit']).optional(),
  hostKey: hostKeyQuestion.optional(),
  capacity: capacityView.optional(),
  load: z
    .object({ state: z.enum(['quiet', 'loaded', 'busy']), sentence: text, takenPercent: z.number().optional() })
    .optional(),
  secrets: z.array(z.enum(secretKinds)).optional(),
});
