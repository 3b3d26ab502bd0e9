/** When the image of a pod is pulled, as in Kubernetes. */
export const pullPolicies = ['Always', 'IfNotPresent', 'Never'] as const;
export type PullPolicy = (typeof pullPolicies)[number];

/** Resources of a pod, as Kubernetes writes them: `500m`, `512Mi`. */
export interface PodResources {
  /** Requested; CPU has no limit unless `cpuLimit` is set, since throttling would distort the viewers' figures. */
  readonly cpu?: string;
  /** Requested, and the limit. */
  readonly memory?: string;
  readonly cpuLimit?: string;
}

/** A taint that the pods tolerate, as in Kubernetes. */
export interface PodToleration {
  /** Absent: every taint. */
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Settings of a tester group whose members are pods of a cluster. */
export interface KubernetesSettings {
  /** Number of pods. */
  readonly replicas?: number;
  readonly namespace?: string;
  /** Context of the kubeconfig. */
  readonly context?: string;
  /** Path of the kubeconfig. */
  readonly kubeconfig?: string;
  readonly image?: string;
  readonly pullPolicy?: PullPolicy;
  readonly resources?: PodResources;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly PodToleration[];
  /** The pods use the network of their node. */
  readonly hostNetwork?: boolean;
}
