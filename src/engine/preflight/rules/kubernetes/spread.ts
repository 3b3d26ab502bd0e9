import { eligibleNodes, viewersPerNode } from '../../../../domain/kubernetes/eligibleNodes';
import type { ClusterNode } from '../../../../domain/kubernetes/objects';
import type { KubernetesSettings } from '../../../../domain/model/kubernetesSettings';
import { clusterFact } from '../../reading/clusterFacts';
import type { Facts } from '../../reading/facts';

/** The most viewers on one node, and the eligible nodes; without the right to list nodes, as if there were one. */
export function spreadOf(
  facts: Facts,
  pods: KubernetesSettings,
  viewers: number,
): { readonly perNode: number; readonly nodes: readonly ClusterNode[] | undefined } {
  const nodes = facts.maybe((read) => eligibleNodes(clusterFact(read, 'nodes'), pods));
  return { perNode: viewersPerNode(viewers, nodes?.length ?? 1, pods), nodes };
}

/** `on one of 3 nodes`, or that the nodes are unknown. */
export function spreadText(nodes: readonly ClusterNode[] | undefined): string {
  if (!nodes) return 'on one node (their number can not be read)';
  return nodes.length === 1 ? 'on its only node' : `on each of ${nodes.length} nodes`;
}
