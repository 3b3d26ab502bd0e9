import { isOriginSettings } from '../../domain/model/nodeSettings';
import { missingText, type ClusterCheck } from '../../domain/kubernetes/clusterCheck';
import { defaultNamespace, objectName } from '../../domain/kubernetes/names';
import { accessText, groupText } from '../../domain/kubernetes/manifestText';
import { systemClock } from '../../engine/base/clock';
import { checkCluster } from '../../engine/kubernetes/checkCluster';
import { openCluster } from '../../engine/kubernetes/clusterClient';
import { thisOwner } from '../../engine/kubernetes/thisOwner';
import { idleTimeouts } from '../../engine/links/idleTimeout';
import { command, form, type Arguments } from '../command';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { clusterOptions, json, set, type ClusterChoice } from '../options';
import { print, printDocument, printJson, printLogHere, printStatus } from '../print';
import { readPlan } from '../readPlan';
import { UsageError } from '../usageError';

const options = { ...clusterOptions, json, set };

export const kubernetes = command({
  name: 'kubernetes',
  operand: ['manifest', 'role', 'check'],
  options,
  forms: [
    form('manifest PLAN.yaml [--set ...]', 'print the Role, Job and Secret of testers in a cluster'),
    form('role [--namespace N]', 'print the Role that a user of the cluster needs for them'),
    form(
      'check [--context C] [--namespace N] [--kubeconfig FILE] [--json]',
      'list what the user of the kubeconfig may do there',
    ),
  ],
  examples: ['kubernetes manifest plan.yaml', 'kubernetes role --namespace load', 'kubernetes check --context staging'],
  exitCodes: { pass: 'done; of check: testers can run there', fail: "of check: testers can't run there" },
  read: readInput,
  run: (input, installation) => {
    if (input.what === 'manifest') return printManifest(input, installation);
    if (input.what === 'check') return printCheck(input);
    printDocument(accessText(input.namespace ?? defaultNamespace));
    return exitCodes.pass;
  },
});

interface ManifestInput {
  readonly what: 'manifest';
  readonly plan: string;
  readonly sets: readonly string[];
}

interface CheckInput extends ClusterChoice {
  readonly what: 'check';
  readonly json: boolean;
}

type KubernetesInput = ManifestInput | CheckInput | { readonly what: 'role'; readonly namespace: string | undefined };

function readInput({ operands, values, given }: Arguments<typeof options>): KubernetesInput {
  const [what, plan, more] = operands;
  if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
  const stray = (...names: ReadonlyArray<keyof typeof options>) => names.find((name) => given.has(name));
  switch (what) {
    case 'manifest': {
      if (plan === undefined) throw new UsageError('Missing PLAN.yaml: fullhouse kubernetes manifest PLAN.yaml');
      const foreign = stray('kubeconfig', 'context', 'namespace', 'json');
      if (foreign) throw new UsageError(`"kubernetes manifest" has no option --${foreign}; the plan names it.`);
      return { what, plan, sets: values.set };
    }
    case 'role': {
      if (plan !== undefined) throw new UsageError(`Unexpected argument "${plan}".`);
      const foreign = stray('kubeconfig', 'context', 'json', 'set');
      if (foreign) throw new UsageError(`"kubernetes role" has no option --${foreign}.`);
      return { what, namespace: values.namespace };
    }
    case 'check': {
      if (plan !== undefined) throw new UsageError(`Unexpected argument "${plan}".`);
      if (given.has('set')) throw new UsageError('"kubernetes check" has no option --set.');
      const { kubeconfig, context, namespace } = values;
      return { ...{ what, kubeconfig, context, namespace }, json: values.json };
    }
    case undefined:
    default:
      throw new UsageError(
        `${what === undefined ? 'Missing operand' : `Unknown operand "${what}"`}: fullhouse kubernetes manifest PLAN.yaml, role or check.`,
      );
  }
}

async function printCheck(input: CheckInput): Promise<number> {
  printLogHere();
  const check = await checkCluster(await openCluster(input, systemClock));
  if (input.json) printJson(check);
  else print(...checkLines(check));
  return check.canRun ? exitCodes.pass : exitCodes.fail;
}

async function printManifest(input: ManifestInput, { version }: Installation): Promise<number> {
  const plan = await readPlan(input, printStatus);
  if (!plan) return exitCodes.notStarted;
  const groups = Object.entries(plan.nodes).flatMap(([node, settings]) =>
    // A plan without an image is refused when it is read.
    !isOriginSettings(settings) && settings.tester === 'kubernetes' && settings.image !== undefined
      ? [{ node, settings: { ...settings, image: settings.image } }]
      : [],
  );
  if (groups.length === 0) {
    printStatus(
      `${input.plan} has no testers in a cluster; add e.g. load: { tester: kubernetes, replicas: 4, image: REGISTRY/load/fullhouse-agent:VERSION }.`,
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
