import type { KubernetesSettings } from '../model/kubernetesSettings';
import { agentContainer, agentPort, appName, clusterLabels, defaultNamespace, labelValue, managedBy } from './names';
import { annotationsOf, userLabel, type ClusterOwner } from './owner';

/** What a pod requests if its settings do not name it. */
export const defaultResources = { cpu: '500m', memory: '512Mi' } as const;
/** A Job that is not renewed ends after this time, and its pods with it. */
export const deadlineSeconds = 2 * 3600;
/** An ended Job is deleted after this time. */
const ttlSeconds = 300;
/** How often the pod of one index may fail and be replaced. */
const failuresPerIndex = 6;
/** An agent that is told to end disconnects its viewers within 10 s. */
const graceSeconds = 15;

const tokenFolder = '/run/fullhouse';
const tokenKey = 'token';

/** Checked settings; see `imageFault`. */
export type WithImage<T> = T & { readonly image: string };

export interface ManifestOptions {
  /** Name of Job and Secret. */
  readonly name: string;
  /** The fleet's name of the group. */
  readonly node: string;
  readonly settings: WithImage<KubernetesSettings>;
  readonly owner: ClusterOwner;
  /** Our version. */
  readonly version: string;
  /** How long an agent keeps its viewers without a console, e.g. `120s`. */
  readonly idleTimeout: string;
}

/** The labels of everything of one group. */
export function labelsOf({ name, owner, version }: ManifestOptions): Record<string, string> {
  return {
    [clusterLabels.name]: appName,
    [clusterLabels.instance]: name,
    [clusterLabels.managedBy]: managedBy,
    [clusterLabels.version]: labelValue(version),
    [clusterLabels.owner]: owner.id,
    [clusterLabels.user]: userLabel(owner),
  };
}

/** The Job that runs one agent per index. */
export function jobManifest(options: ManifestOptions) {
  const { name, node, settings, owner } = options;
  const replicas = settings.replicas ?? 1;
  const labels = labelsOf(options);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: settings.namespace ?? defaultNamespace,
      labels,
      annotations: annotationsOf(owner, node),
    },
    spec: {
      completionMode: 'Indexed',
      completions: replicas,
      parallelism: replicas,
      backoffLimitPerIndex: failuresPerIndex,
      // For clusters that do not know the limit per index.
      backoffLimit: failuresPerIndex * replicas,
      podReplacementPolicy: 'Failed',
      activeDeadlineSeconds: deadlineSeconds,
      ttlSecondsAfterFinished: ttlSeconds,
      template: { metadata: { labels }, spec: podSpec(options) },
    },
  };
}

function podSpec({ name, settings, idleTimeout }: ManifestOptions) {
  const { resources, hostNetwork, nodeSelector, tolerations } = settings;
  const memory = resources?.memory ?? defaultResources.memory;
  return {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: graceSeconds,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(hostNetwork ? { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' } : {}),
    ...(nodeSelector ? { nodeSelector } : {}),
    ...(tolerations ? { tolerations: tolerations.map((toleration) => ({ ...toleration })) } : {}),
    // Spread over the nodes where they allow it: one node's network is the first limit of many viewers.
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { [clusterLabels.instance]: name } },
      },
    ],
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: agentContainer,
        image: settings.image,
        imagePullPolicy: settings.pullPolicy ?? 'IfNotPresent',
        args: [
          'audience',
          ...['--listen', `127.0.0.1:${agentPort}`],
          ...['--token-file', `${tokenFolder}/${tokenKey}`],
          ...['--idle-timeout', idleTimeout],
          '--exit-when-idle',
          ...['--samples', '/samples'],
        ],
        resources: {
          requests: { cpu: resources?.cpu ?? defaultResources.cpu, memory },
          limits: { memory, ...(resources?.cpuLimit === undefined ? {} : { cpu: resources.cpuLimit }) },
        },
        // Two pods on the network of one node would share the port: the scheduler then keeps them apart.
        ...(hostNetwork ? { ports: [{ containerPort: agentPort, hostPort: agentPort, protocol: 'TCP' }] } : {}),
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'token', mountPath: tokenFolder, readOnly: true },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      // Readable by all: whichever user the image or the cluster's policy sets, only the agent runs in this container.
      { name: 'token', secret: { secretName: name, defaultMode: 0o444 } },
      { name: 'tmp', emptyDir: {} },
    ],
  };
}

/** The Secret with the agents' token. With the Job's id as its owner it is deleted with the Job. */
export function secretManifest(options: ManifestOptions, token: string, jobUid?: string) {
  const { name, settings } = options;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: settings.namespace ?? defaultNamespace,
      labels: labelsOf(options),
      ...(jobUid === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid: jobUid }] }),
    },
    type: 'Opaque',
    stringData: { [tokenKey]: token },
  };
}
