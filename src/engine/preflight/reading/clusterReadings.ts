import type { Cluster } from '../../kubernetes/cluster';

/** What rules read of a cluster. */
export const clusterReadings = {
  quotas: (cluster: Cluster) => cluster.quotas(),
  networkPolicies: (cluster: Cluster) => cluster.networkPolicies(),
  nodes: (cluster: Cluster) => cluster.nodes(),
} as const;
export type ClusterReading = keyof typeof clusterReadings;
