import { isOriginSettings } from '../domain/model/nodeSettings';
import { missingText, type ClusterCheck } from '../domain/kubernetes/clusterCheck';
import { defaultNamespace, objectName } from '../domain/kubernetes/names';
import { accessText, groupText } from '../domain/kubernetes/manifestText';
import { systemClock } from '../engine/base/clock';
import { checkCluster } from '../engine/kubernetes/checkCluster';
import { openCluster } from '../engine/kubernetes/clusterClient';
import { deleteLeftover, findLeftovers, type Leftover } from '../engine/kubernetes/leftovers';
import { thisOwner } from '../engine/kubernetes/thisOwner';
import { idleTimeouts } from '../engine/links/idleTimeout';
import type { Installation } from './installation';
import type { CleanupCommand, KubernetesCommand } from './kubernetesArgs';
import { print, printDocument, printJson, printLogHere, printStatus } from './print';
import { readPlan } from './readPlan';
import { exitCodes } from './exitCodes';

/** `kubernetes manifest` prints what a plan would apply; `kubernetes check` what may be done in a cluster. */
export async function kubernetesCommand(command: KubernetesCommand, installation: Installation): Promise<number> {
  if (command.command === 'kubernetes manifest') return printManifest(command, installation);
  if (command.command === 'kubernetes role') {
    printDocument(accessText(command.namespace ?? defaultNamespace));
    return exitCodes.pass;
  }
  printLogHere();
  const check = await checkCluster(await openCluster(command, systemClock));
  if (command.json) printJson(check);
  else print(...checkLines(check));
  return check.canRun ? exitCodes.pass : exitCodes.fail;
}

async function printManifest(
  command: Extract<KubernetesCommand, { command: 'kubernetes manifest' }>,
  { version }: Installation,
): Promise<number> {
  const plan = await readPlan(command, printStatus);
  if (!plan) return exitCodes.notStarted;
  const groups = Object.entries(plan.nodes).flatMap(([node, settings]) =>
    // A plan without an image is refused when it is read.
    !isOriginSettings(settings) && settings.tester === 'kubernetes' && settings.image !== undefined
      ? [{ node, settings: { ...settings, image: settings.image } }]
      : [],
  );
  if (groups.length === 0) {
    printStatus(
      `${command.plan} has no testers in a cluster; add e.g. load: { tester: kubernetes, replicas: 4, image: REGISTRY/load/fullhouse-agent:VERSION }.`,
    );
    return exitCodes.notStarted;
  }
  const namespaces = new Set(groups.map(({ settings }) => settings.namespace ?? defaultNamespace));
  const [owner, idleTimeout] = [thisOwner(), idleTimeouts.sshTester];
  const texts = [
    ...[...namespaces].map(accessText),
    ...groups.map((group) =>
      groupText({ ...group, name: objectName(group.node, 'random'), owner, version, idleTimeout }),
    ),
  ];
  printDocument(texts.join('---\n'));
  return exitCodes.pass;
}

function checkLines({ cluster, namespace, version, rows, canRun }: ClusterCheck): string[] {
  const lines = rows.map((row) => (row.isAllowed ? `+ ${row.purpose}` : `- ${row.purpose}: ${missingText(row)}`));
  const verdict = canRun
    ? 'Testers can run there.'
    : `Testers can't run there: ask an administrator for the Role of "fullhouse kubernetes role --namespace ${namespace}".`;
  return [`Kubernetes ${version}, context ${cluster}, namespace ${namespace}`, ...lines, verdict];
}

/** Lists, and deletes if confirmed, what crashed consoles have left in a cluster. Exit code 1: something is left. */
export async function cleanupCommand(command: CleanupCommand): Promise<number> {
  printLogHere();
  const cluster = await openCluster(command, systemClock);
  const found = await findLeftovers(cluster, thisOwner(), command.ofAll);
  const left = found.filter(({ isInUse }) => command.ofAll || !isInUse);
  print(...found.map(leftoverLine));
  if (left.length === 0) {
    print(`Nothing to delete in namespace ${cluster.namespace} of ${cluster.context}.`);
    return exitCodes.pass;
  }
  if (!command.isConfirmed) {
    printStatus('Run it again with --yes to delete them.');
    return exitCodes.fail;
  }
  let isClean = true;
  for (const each of left)
    try {
      await deleteLeftover(cluster, each, systemClock);
      print(`Deleted ${each.name} with its pods and its Secret.`);
    } catch (error) {
      isClean = false;
      printStatus((error as Error).message);
    }
  return isClean ? exitCodes.pass : exitCodes.fail;
}

function leftoverLine({ name, node, owner, pods, createdMs, isInUse }: Leftover): string {
  const age =
    createdMs === undefined ? '' : `, ${Math.max(0, Math.round((systemClock.wall() - createdMs) / 60_000))} min old`;
  return `${name}: ${pods} ${pods === 1 ? 'pod' : 'pods'} of ${node}, by ${owner}${age}${isInUse ? ', in use by a running console' : ''}`;
}
