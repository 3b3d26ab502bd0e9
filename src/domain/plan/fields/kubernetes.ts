import { quantityFault } from '../../kubernetes/quantity';
import {
  pullPolicies,
  type KubernetesSettings,
  type PodResources,
  type PodToleration,
} from '../../model/kubernetesSettings';
import { maxMembers, type TesterSettings } from '../../model/nodeSettings';
import { flow } from '../yamlText';
import { mapKind, type FieldsOf } from './fields';
import { choice, flag, listOf, text, wholeNumber, type Kind } from './kind';

/** The fields of a tester group whose members are pods. */

const optional = { isOptional: true, absent: 'none' } as const;

const checked = (max: number, faultOf: (value: string) => string | undefined): Kind<string> => ({
  ...text(max),
  read: (field, write) => {
    const value = text(max).read(field, write);
    const fault = faultOf(value);
    return fault === undefined ? value : field.fail(fault);
  },
  bounds: { is: 'text', max, faultOf },
});

const quantity = checked(30, quantityFault);

const namespaceFault = (name: string): string | undefined =>
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) || name.startsWith('$')
    ? undefined
    : `"${name}" is not a name of a namespace: lower-case letters, digits and dashes.`;

const maxLabels = 50;
const labels: Kind<Readonly<Record<string, string>>> = {
  read: (field, write) =>
    Object.fromEntries([...field.map()].map(([key, value]): [string, string] => [key, value.text(write)])),
  write: (value) => flow(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, JSON.stringify(each)]))),
  json: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: maxLabels },
  words: 'map',
  bounds: { is: 'other', name: 'labels' },
};

const resourceFields: FieldsOf<PodResources> = {
  cpu: {
    key: 'cpu',
    kind: quantity,
    label: 'CPU',
    help: 'Requested CPU of each pod',
    write: 'Write it like 500m or 2.',
    isOptional: true,
    absent: '`500m`',
  },
  memory: {
    key: 'memory',
    kind: quantity,
    label: 'Memory',
    help: 'Requested memory of each pod, and its limit',
    write: 'Write it like 512Mi.',
    isOptional: true,
    absent: '`512Mi`',
  },
  cpuLimit: {
    key: 'cpuLimit',
    kind: quantity,
    label: 'CPU limit',
    help: 'Limit of the CPU of each pod, where a quota demands one: a throttled tester distorts the figures of its viewers',
    write: 'Write it like 2.',
    ...optional,
  },
};

const tolerationFields: FieldsOf<PodToleration> = {
  key: { key: 'key', kind: text(300), help: 'Key of the taint', ...optional, absent: 'every taint' },
  operator: {
    key: 'operator',
    kind: choice(['Exists', 'Equal']),
    help: 'How it is compared',
    ...optional,
    absent: '`Equal`',
  },
  value: { key: 'value', kind: text(63), help: 'Value of the taint', ...optional },
  effect: {
    key: 'effect',
    kind: choice(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    help: 'Effect of the taint',
    ...optional,
    absent: 'every effect',
  },
};

const tolerationWrite = 'Write it like { key: load, operator: Exists }.';

export const kubernetesFields: FieldsOf<KubernetesSettings> = {
  replicas: {
    key: 'replicas',
    kind: wholeNumber({ min: 1, max: maxMembers }),
    label: 'Pods',
    help: '`kubernetes`: number of pods; they are one tester in `by`, and share its viewers. See [kubernetes.md](kubernetes.md)',
    write: 'Write the number of pods, e.g. 20.',
    ...optional,
  },
  namespace: {
    key: 'namespace',
    kind: checked(63, namespaceFault),
    label: 'Namespace',
    placeholder: 'load',
    help: '`kubernetes`: namespace of the pods',
    write: 'Write the name of a namespace.',
    isOptional: true,
    absent: 'that of the context',
  },
  context: {
    key: 'context',
    kind: text(300),
    label: 'Context',
    placeholder: 'staging',
    help: '`kubernetes`: context of the kubeconfig',
    write: 'Write the name of a context.',
    isOptional: true,
    absent: 'the current one',
  },
  kubeconfig: {
    key: 'kubeconfig',
    kind: text(1000),
    label: 'Kubeconfig',
    placeholder: '~/.kube/config',
    help: '`kubernetes`: path of the kubeconfig, which can start programs: see [consent](plans.md#consent)',
    write: 'Write its path.',
    isOptional: true,
    absent: 'as kubectl: `KUBECONFIG`, else `~/.kube/config`',
  },
  image: {
    key: 'image',
    kind: text(500),
    label: 'Image',
    placeholder: 'registry.example/load/fullhouse-agent:0.1.0',
    help: '`kubernetes`: required; image of the agent, as your cluster pulls it. See [kubernetes.md](kubernetes.md#image)',
    write: 'Write the name of the image.',
    ...optional,
  },
  pullPolicy: {
    key: 'pullPolicy',
    kind: choice(pullPolicies),
    label: 'Pull policy',
    help: '`kubernetes`: when a node pulls the image',
    write: 'Choose when the image is pulled.',
    isOptional: true,
    absent: '`IfNotPresent`',
  },
  resources: {
    key: 'resources',
    kind: mapKind(resourceFields),
    label: 'Resources',
    help: '`kubernetes`: `cpu`, `memory` and `cpuLimit` of each pod',
    write: 'Write it like { cpu: 500m, memory: 512Mi }.',
    isOptional: true,
    absent: '`{ cpu: 500m, memory: 512Mi }`',
  },
  nodeSelector: {
    key: 'nodeSelector',
    kind: labels,
    label: 'Node selector',
    help: '`kubernetes`: labels of the nodes on which the pods run',
    write: 'Write it like { pool: load }.',
    ...optional,
  },
  tolerations: {
    key: 'tolerations',
    kind: listOf(mapKind(tolerationFields), tolerationWrite, 20),
    label: 'Tolerations',
    help: '`kubernetes`: taints that the pods tolerate, with `key`, `operator`, `value` and `effect`',
    write: tolerationWrite,
    ...optional,
  },
  hostNetwork: {
    key: 'hostNetwork',
    kind: flag,
    label: 'Network of the node',
    help: '`kubernetes`: `true`: the pods use the network of their node, without the CNI; one pod per node',
    write: 'Write true for the network of the node.',
    isOptional: true,
    absent: '`false`',
  },
};

export const imageMissing =
  'Add the image of the agent: "npm run image" builds it, push it to a registry that the cluster reaches (docs/kubernetes.md), and write its name there, e.g. image: REGISTRY/load/fullhouse-agent:VERSION.';

/** Why the image of such a group can't be used; there is none that belongs to Fullhouse in a registry. */
export function imageFault({ tester, image }: Pick<TesterSettings, 'tester' | 'image'>): string | undefined {
  return tester !== 'kubernetes' || image !== undefined ? undefined : imageMissing;
}

/** What is wrong with the settings of such a group, one sentence; undefined if nothing. */
export function kubernetesFault(
  settings: KubernetesSettings & { readonly tester: string; readonly atLeast?: number },
): string | undefined {
  const { tester, replicas, atLeast } = settings;
  if (tester !== 'kubernetes') {
    const alone = Object.keys(kubernetesFields).find((key) => settings[key as keyof KubernetesSettings] !== undefined);
    return alone && `"${alone}" is of testers in a cluster; write { tester: kubernetes, replicas: 4 }.`;
  }
  if (replicas === undefined) return 'Add the number of pods, e.g. { tester: kubernetes, replicas: 4 }.';
  return atLeast !== undefined && atLeast > replicas
    ? `A group of ${replicas} pods can't start with at least ${atLeast}.`
    : undefined;
}
