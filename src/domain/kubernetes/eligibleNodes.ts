import type { KubernetesSettings, PodToleration } from '../model/kubernetesSettings';
import { defaultResources } from './manifest';
import type { ClusterNode } from './objects';
import { quantityOf } from './quantity';

type Taint = { readonly key: string; readonly value?: string; readonly effect: string };

/** Nodes on which the pods may run: by selector, taints and cordon. */
export function eligibleNodes(nodes: readonly ClusterNode[], settings: KubernetesSettings): readonly ClusterNode[] {
  const { nodeSelector = {}, tolerations = [] } = settings;
  return nodes.filter(({ metadata, spec }) => {
    const isSelected = Object.entries(nodeSelector).every(([key, value]) => metadata.labels?.[key] === value);
    const repelling = (spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
    return (
      isSelected &&
      spec?.unschedulable !== true &&
      repelling.every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)))
    );
  });
}

function tolerates({ key, operator, value, effect }: PodToleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key === undefined) return operator === 'Exists';
  return key === taint.key && (operator === 'Exists' || (value ?? '') === (taint.value ?? ''));
}

/** What a pod requests: cores, and bytes. */
export function requestsOf({ resources }: KubernetesSettings): { readonly cpu: number; readonly memory: number } {
  return {
    cpu: quantityOf(resources?.cpu ?? defaultResources.cpu) ?? 0,
    memory: quantityOf(resources?.memory ?? defaultResources.memory) ?? 0,
  };
}

/** How many of the pods a node has room for, without what other pods have reserved. */
export function podsOn({ status }: ClusterNode, settings: KubernetesSettings): number {
  const { cpu, memory } = requestsOf(settings);
  const of = (name: string): number => quantityOf(status?.allocatable?.[name] ?? '') ?? 0;
  const room = [of('pods'), cpu > 0 ? of('cpu') / cpu : Infinity, memory > 0 ? of('memory') / memory : Infinity];
  const most = Math.floor(Math.min(...room) + 1e-9);
  return settings.hostNetwork ? Math.min(1, most) : most;
}

/** The most viewers on one node if the pods are spread evenly over these nodes. */
export function viewersPerNode(viewers: number, nodes: number, { replicas = 1 }: KubernetesSettings): number {
  return Math.ceil(viewers / Math.max(1, Math.min(nodes, replicas)));
}
