import type { Clock } from '../base/clock';
import { processExists } from '../base/lock';
import { clusterLabels, managedBy } from '../../domain/kubernetes/names';
import { ownerOf, userLabel, type ClusterOwner } from '../../domain/kubernetes/owner';
import type { Cluster } from './cluster';
import { deleteJobCompletely } from './startedJob';

/** A Job that a console has created in a cluster. */
export interface ClusterLeftover {
  readonly name: string;
  /** The console's name of the group. */
  readonly node: string;
  /** `user@host, process 4711`. */
  readonly owner: string;
  readonly createdMs: number | undefined;
  readonly pods: number;
  /** Whether a console of this user on this machine left it. */
  readonly isOurs: boolean;
  /** Its console still runs; known on its own machine only. */
  readonly isInUse: boolean;
}

/** The Jobs of this user's consoles in a namespace, or of everyone's. */
export async function findLeftovers(
  cluster: Cluster,
  self: Pick<ClusterOwner, 'user' | 'host'>,
  ofAll: boolean,
  isAlive: (pid: number) => boolean = processExists,
): Promise<readonly ClusterLeftover[]> {
  const ours = userLabel(self);
  const selector = [`${clusterLabels.managedBy}=${managedBy}`, ...(ofAll ? [] : [`${clusterLabels.user}=${ours}`])];
  const jobs = await cluster.jobs(selector.join(','));
  return jobs.map(({ metadata, spec, status }) => {
    const owner = ownerOf(metadata.annotations);
    const isOurs = metadata.labels?.[clusterLabels.user] === ours;
    return {
      name: metadata.name,
      node: owner?.node ?? metadata.name,
      owner: owner ? `${owner.user}@${owner.host}, process ${owner.pid}` : 'unknown',
      createdMs: metadata.creationTimestamp,
      pods: status?.active ?? spec?.completions ?? 0,
      isOurs,
      isInUse: isOurs && owner !== undefined && owner.host === self.host && isAlive(owner.pid),
    };
  });
}

/** Deletes a Job with all that belongs to it. Rejects with a sentence on what is left. */
export function deleteLeftover(cluster: Cluster, { name }: Pick<ClusterLeftover, 'name'>, clock: Clock): Promise<void> {
  return deleteJobCompletely(cluster, { name, selector: `${clusterLabels.instance}=${name}` }, clock);
}
