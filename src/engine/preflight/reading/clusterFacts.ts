import { z } from 'zod';
import { clusterNode, networkPolicy, quota } from '../../../domain/kubernetes/objects';
import type { KubernetesSettings } from '../../../domain/model/kubernetesSettings';
import type { Clock } from '../../base/clock';
import type { Cluster } from '../../kubernetes/cluster';
import { openCluster } from '../../kubernetes/clusterClient';
import { clusterReadings, type ClusterReading } from './need';
import { UnreadableError, type Answer, type Facts } from './facts';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

const schemas = {
  quotas: z.array(quota),
  networkPolicies: z.array(networkPolicy),
  nodes: z.array(clusterNode),
} as const;

/** Objects of the cluster, for a rule that has declared them. */
export function clusterFact<R extends ClusterReading>(facts: Facts, name: R): z.infer<(typeof schemas)[R]> {
  const read = schemas[name].safeParse(jsonOf(facts.cluster(name)));
  if (!read.success) throw new UnreadableError(`The cluster returned unexpected ${name}.`);
  return read.data as z.infer<(typeof schemas)[R]>;
}

function jsonOf(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

/** Reads what rules need of a cluster. */
export async function readCluster(
  settings: KubernetesSettings,
  names: readonly ClusterReading[],
  clock: Clock,
): Promise<ReadonlyMap<ClusterReading, Answer>> {
  const unread = (error: unknown): Answer => ({ unread: (error as Error).message });
  const cluster = await openCluster(settings, clock).catch(unread);
  const answers = names.map(async (name): Promise<[ClusterReading, Answer]> => {
    if ('unread' in cluster) return [name, cluster];
    const answer = await clusterReadings[name](cluster as Cluster).then(
      (objects): Answer => ({ text: JSON.stringify(objects) }),
      unread,
    );
    return [name, answer];
  });
  return new Map(await Promise.all(answers));
}
