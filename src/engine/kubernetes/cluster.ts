import type { Duplex } from 'node:stream';
import type { ClusterPermission } from '../../domain/kubernetes/access';
import type { jobManifest, secretManifest } from '../../domain/kubernetes/manifest';
import type { ClusterEvent, Pod } from '../../domain/kubernetes/pod';
import type { ClusterNode, Job, NetworkPolicy, Quota } from '../../domain/kubernetes/objects';

/** A namespace of a cluster, as its testers need it. All calls reject with a `FullhouseError`; see `clusterFaults.ts`. */
export interface Cluster {
  /** For sentences: `The cluster staging`. */
  readonly who: string;
  /** The context of the kubeconfig. */
  readonly context: string;
  readonly namespace: string;
  createJob(manifest: ReturnType<typeof jobManifest>): Promise<Job>;
  createSecret(manifest: ReturnType<typeof secretManifest>): Promise<void>;
  job(name: string): Promise<Job>;
  jobs(selector: string): Promise<readonly Job[]>;
  /** Sets the deadline of a Job, seconds after its start. */
  extendJob(name: string, deadlineSeconds: number): Promise<void>;
  /** Deletes it, and with it its pods. Resolves with whether it still existed. */
  deleteJob(name: string): Promise<boolean>;
  deleteSecret(name: string): Promise<boolean>;
  /** Pods, and the version of the list from which a watch continues. */
  pods(selector: string): Promise<{ readonly pods: readonly Pod[]; readonly version: string }>;
  /** Changes of pods since a version. Resolves when the watch ends, for any reason. */
  watchPods(
    selector: string,
    version: string,
    onChange: (kind: 'changed' | 'deleted', pod: Pod) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Latest events of objects of a kind, and with a reason if one is given. */
  events(of: {
    readonly kind: string;
    readonly name?: string;
    readonly reason?: string;
  }): Promise<readonly ClusterEvent[]>;
  /** The last line of a pod's log; undefined without one. */
  lastLogLine(pod: string): Promise<string | undefined>;
  /** A connection to a port on the loopback of a pod. */
  connect(pod: string, port: number): Promise<Duplex>;
  /** Whether its user may do this. */
  isAllowed(
    permission: ClusterPermission,
    ofCluster?: boolean,
  ): Promise<{ readonly allowed: boolean; readonly reason?: string }>;
  version(): Promise<string>;
  quotas(): Promise<readonly Quota[]>;
  networkPolicies(): Promise<readonly NetworkPolicy[]>;
  nodes(): Promise<readonly ClusterNode[]>;
}
