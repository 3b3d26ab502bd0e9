import { z } from 'zod';
import { nodeName } from '../../../contract/names';
import { nodeFields } from '../../../domain/model/node';
import { maxMembers, memberWeights, perSecretKind, testerKinds } from '../../../domain/model/nodeSettings';
import { streamAddressKeys, type StreamAddressKey } from '../../../domain/model/addressKeys';
import { serverFamilies } from '../../../domain/model/serverFamilies';
import { pullPolicies } from '../../../domain/model/kubernetesSettings';
import { isReference } from '../../../domain/secrets/references';
import { count, text } from './values';

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
  proxy: url.optional(),
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

const streamUrls = Object.fromEntries(streamAddressKeys.map((key) => [key, url.optional()])) as Record<
  StreamAddressKey,
  z.ZodOptional<typeof url>
>;

export const nodeSettings = z.union([
  z.object({
    server: z.enum(serverFamilies),
    url: url.optional(),
    ...streamUrls,
    ws: url.optional(),
    metrics: url.optional(),
    control: url.optional(),
    familyFile: path.optional(),
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

export const savedNode = z.object({ ...nodeFields, id: nodeName, settings: nodeSettings.optional() });
