import { systemClock } from '../../engine/base/clock';
import { openCluster } from '../../engine/kubernetes/clusterClient';
import { deleteLeftover, findLeftovers, type ClusterLeftover } from '../../engine/kubernetes/leftovers';
import { thisOwner } from '../../engine/kubernetes/thisOwner';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { clusterOptions, flag, yes, type ClusterChoice } from '../options';
import { print, printLogHere, printStatus } from '../print';

export const cleanup = command({
  name: 'cleanup',
  options: { ...clusterOptions, all: flag('also those of running consoles and of other users'), yes },
  forms: [
    form(
      '[--context C] [--namespace N] [--all] [--yes] [--kubeconfig FILE]',
      'list testers that a crashed console left in a cluster; with --yes delete them',
    ),
  ],
  examples: ['cleanup --context staging --namespace load', 'cleanup --context staging --namespace load --yes'],
  exitCodes: { pass: 'nothing is left', fail: 'something is left' },
  read: ({ values: { kubeconfig, context, namespace, all, yes: isConfirmed } }) => ({
    ...{ kubeconfig, context, namespace, isConfirmed },
    ofAll: all,
  }),
  run: cleanUp,
});

interface CleanupInput extends ClusterChoice {
  /** Delete what was found. */
  readonly isConfirmed: boolean;
  /** Also of running consoles and of other users. */
  readonly ofAll: boolean;
}

/** Lists, and deletes if confirmed, what crashed consoles have left in a cluster. Exit code 1: something is left. */
async function cleanUp(input: CleanupInput): Promise<number> {
  printLogHere();
  const cluster = await openCluster(input, systemClock);
  const leftovers = await findLeftovers(cluster, thisOwner(), input.ofAll);
  const removable = leftovers.filter(({ isInUse }) => input.ofAll || !isInUse);
  print(...leftovers.map(leftoverLine));
  if (removable.length === 0) {
    print(`Nothing to delete in namespace ${cluster.namespace} of ${cluster.context}.`);
    return exitCodes.pass;
  }
  if (!input.isConfirmed) {
    printStatus('Run it again with --yes to delete them.');
    return exitCodes.fail;
  }
  let isClean = true;
  for (const leftover of removable)
    try {
      await deleteLeftover(cluster, leftover, systemClock);
      print(`Deleted ${leftover.name} with its pods and its Secret.`);
    } catch (error) {
      isClean = false;
      printStatus((error as Error).message);
    }
  return isClean ? exitCodes.pass : exitCodes.fail;
}

function leftoverLine({ name, node, owner, pods, createdMs, isInUse }: ClusterLeftover): string {
  const age =
    createdMs === undefined ? '' : `, ${Math.max(0, Math.round((systemClock.wall() - createdMs) / 60_000))} min old`;
  return `${name}: ${pods} ${pods === 1 ? 'pod' : 'pods'} of ${node}, by ${owner}${age}${isInUse ? ', in use by a running console' : ''}`;
}
