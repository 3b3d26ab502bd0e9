import { eligibleNodes, podsOn, requestsOf, viewersPerNode } from '../../../domain/kubernetes/eligibleNodes';
import { appName, clusterLabels, managedBy } from '../../../domain/kubernetes/names';
import { type ClusterNode, selects } from '../../../domain/kubernetes/objects';
import { quantityOf } from '../../../domain/kubernetes/quantity';
import type { KubernetesSettings } from '../../../domain/model/kubernetesSettings';
import { clusterFact } from '../reading/clusterFacts';
import type { Facts } from '../reading/facts';
import { type CheckContext, fail, type RuleResult, pass, type PreflightRule, unread, usesUdp, warn } from '../rule';
import { formatCount } from '../../../domain/text/numberFormat';

/** Testers in a cluster. */
const onCluster = ({ pods }: CheckContext): boolean => pods !== undefined;

/** Judges the pods of a context, which `onCluster` has checked. */
const ofPods =
  (judge: (pods: KubernetesSettings & { readonly replicas: number }, context: CheckContext) => RuleResult) =>
  (context: CheckContext): RuleResult =>
    context.pods
      ? judge({ ...context.pods, replicas: context.pods.replicas ?? 1 }, context)
      : unread(`${context.node} has no pods.`);

/** The most viewers on one node, and the eligible nodes; without the right to list nodes, as if there were one. */
function spreadOf(
  facts: Facts,
  pods: KubernetesSettings,
  viewers: number,
): { readonly perNode: number; readonly nodes: readonly ClusterNode[] | undefined } {
  const nodes = facts.maybe((read) => eligibleNodes(clusterFact(read, 'nodes'), pods));
  return { perNode: viewersPerNode(viewers, nodes?.length ?? 1, pods), nodes };
}

/** `on one of 3 nodes`, or that the nodes are unknown. */
function spreadText(nodes: readonly ClusterNode[] | undefined): string {
  if (!nodes) return 'on one node (their number can not be read)';
  return nodes.length === 1 ? 'on its only node' : `on each of ${nodes.length} nodes`;
}

/** What the pods need of each quota, by its name. */
function needsOf(pods: KubernetesSettings & { readonly replicas: number }): ReadonlyMap<string, number> {
  const { replicas, resources } = pods;
  const { cpu, memory } = requestsOf(pods);
  const limit = quantityOf(resources?.cpuLimit ?? '');
  const all: ReadonlyArray<readonly [string, number | undefined]> = [
    ['cpu', cpu * replicas],
    ['requests.cpu', cpu * replicas],
    ['memory', memory * replicas],
    ['requests.memory', memory * replicas],
    ['limits.memory', memory * replicas],
    ['limits.cpu', limit === undefined ? undefined : limit * replicas],
    ['pods', replicas],
    ['count/pods', replicas],
    ['count/jobs.batch', 1],
    ['secrets', 1],
    ['count/secrets', 1],
  ];
  return new Map(all.flatMap(([name, need]) => (need === undefined ? [] : [[name, need] as const])));
}

const quota: PreflightRule = {
  id: 'kubernetes.quota',
  title: 'Quotas of the namespace',
  checks: 'Each ResourceQuota against what the pods request.',
  why: 'Pods beyond a quota are never created, so the run waits and starts with fewer testers, or not at all.',
  good: 'room for the requests of all pods, one Job and one Secret',
  source: 'Kubernetes: Resource Quotas',
  applies: onCluster,
  needs: [{ cluster: 'quotas' }],
  judge: (facts, context) =>
    ofPods((pods, { node }) => {
      const quotas = clusterFact(facts, 'quotas');
      const needs = needsOf(pods);
      for (const { metadata, status } of quotas)
        for (const [name, text] of Object.entries(status?.hard ?? {})) {
          const [hard, used] = [quantityOf(text), quantityOf(status?.used?.[name] ?? '0') ?? 0];
          if (name === 'limits.cpu' && pods.resources?.cpuLimit === undefined)
            return fail(
              `Quota ${metadata.name} demands a CPU limit, and the pods of ${node} have none.`,
              'resources: { cpuLimit: 2 }',
            );
          const need = needs.get(name);
          if (hard === undefined || need === undefined || used + need <= hard) continue;
          return fail(
            `Quota ${metadata.name} allows ${text} of ${name}, ${status?.used?.[name] ?? '0'} are in use, and the ${formatCount(pods.replicas)} pods of ${node} need ${quantityText(need, name)} more.`,
          );
        }
      return pass(
        quotas.length === 0
          ? `The namespace of ${node} has no quota.`
          : `The quotas of the namespace have room for the ${formatCount(pods.replicas)} pods of ${node}.`,
      );
    })(context),
};

function quantityText(need: number, name: string): string {
  return name.endsWith('memory') ? `${Math.ceil(need / 2 ** 20)}Mi` : `${Math.round(need * 1000) / 1000}`;
}

const nodeRoom: PreflightRule = {
  id: 'kubernetes.node-room',
  title: 'CPU and memory of the nodes',
  checks:
    'Allocatable CPU, memory and pods of the nodes that nodeSelector and tolerations allow, against the requests.',
  why: 'A pod that fits on no node stays unschedulable until the wait of the run ends.',
  good: 'room for all pods, also beside the pods of others, which this rule does not count',
  source: 'Kubernetes: Reserve Compute Resources; Taints and Tolerations',
  applies: onCluster,
  needs: [{ cluster: 'nodes' }],
  judge: (facts, context) =>
    ofPods((pods, { node }) => {
      const all = clusterFact(facts, 'nodes');
      const nodes = eligibleNodes(all, pods);
      const room = nodes.reduce((sum, node) => sum + podsOn(node, pods), 0);
      const on = `${formatCount(nodes.length)} of ${formatCount(all.length)} nodes accept the pods of ${node}`;
      if (nodes.length === 0)
        return fail(`${on}: nodeSelector or tolerations match none.`, 'Check nodeSelector and tolerations.');
      return room < pods.replicas
        ? fail(
            `${on}, with room for ${formatCount(room)} of ${formatCount(pods.replicas)}${pods.hostNetwork ? '; hostNetwork allows one per node' : ''}.`,
            `replicas: ${Math.max(1, room)}`,
          )
        : pass(`${on}, with room for ${formatCount(room)} without other pods.`);
    })(context),
};

const podLabels = { [clusterLabels.name]: appName, [clusterLabels.managedBy]: managedBy };

const networkPolicies: PreflightRule = {
  id: 'kubernetes.network-policy',
  title: 'Network policies',
  checks: 'NetworkPolicies that select the pods and restrict their egress.',
  why: 'Viewers whose packets a policy drops fail by a timeout, which looks like a fault of the server.',
  good: 'none that selects the pods, or one that allows the address and the media ports of the server',
  source: 'Kubernetes: Network Policies',
  applies: onCluster,
  needs: [{ cluster: 'networkPolicies' }],
  judge: (facts, context) =>
    ofPods((_pods, { node, origin }) => {
      const restricting = clusterFact(facts, 'networkPolicies').filter(({ spec }) => {
        // Without types a policy is about egress if it has rules of it.
        const isOfEgress = spec?.policyTypes?.includes('Egress') ?? (spec?.egress?.length ?? 0) > 0;
        return isOfEgress && selects(spec?.podSelector, podLabels);
      });
      if (restricting.length === 0) return pass(`No network policy restricts the egress of the pods of ${node}.`);
      const names = restricting.map(({ metadata }) => metadata.name).join(', ');
      return warn(
        `The network policy ${names} restricts the egress of the pods of ${node}; it has to allow ${origin?.node ?? 'the server'} with its media ports over UDP.`,
      );
    })(context),
};

/** Ports from 1024 on that a node's address has towards one address and port. */
const portsOfAddress = 64_512;

const snatPorts: PreflightRule = {
  id: 'kubernetes.snat-ports',
  title: 'Ports behind the address of a node',
  checks: 'Viewers per node against the ports of one address, where the CNI translates the addresses of pods.',
  why: 'Viewers of one node share its address towards the server: without a free port their first packet is dropped.',
  good: `at most half of ${formatCount(portsOfAddress)} viewers per node to one address and port, or hostNetwork: true`,
  source: 'Linux: nf_nat; Kubernetes: IP Masquerade Agent',
  applies: (context) => onCluster(context) && usesUdp(context),
  needs: [{ cluster: 'nodes' }],
  judge: (facts, context) =>
    ofPods((pods, { node, viewers }) => {
      if (pods.hostNetwork) return pass(`The pods of ${node} use the network of their nodes, without translation.`);
      const { perNode, nodes } = spreadOf(facts, pods, viewers);
      const read = `${formatCount(perNode)} viewers of ${node} run ${spreadText(nodes)}`;
      const fix = 'Use more nodes, or hostNetwork: true.';
      if (perNode > portsOfAddress)
        return fail(`${read}, more than its ${formatCount(portsOfAddress)} ports to one address.`, fix);
      return perNode > portsOfAddress / 2
        ? warn(`${read}, more than half of its ${formatCount(portsOfAddress)} ports to one address.`, fix)
        : pass(`${read}, enough ports to one address.`);
    })(context),
};

/** What kube-proxy sets: entries per core, and at least. */
const [entriesPerCore, minEntries] = [32_768, 131_072];
/** A flow, and a second one while ICE checks further candidates. */
const flowsPerViewer = 2;

const conntrackTable: PreflightRule = {
  id: 'kubernetes.conntrack',
  title: 'Connection tracking of the nodes',
  checks:
    "UDP flows per node against kube-proxy's default of nf_conntrack_max; the value itself can't be read by the API.",
  why: 'A node whose table is full drops packets of new connections of all its pods, and reports it only in its own log.',
  good: `two entries per viewer, with at most half of ${formatCount(entriesPerCore)} per core (min ${formatCount(minEntries)}) used`,
  source: 'Kubernetes: kube-proxy (--conntrack-max-per-core, --conntrack-min)',
  applies: (context) => onCluster(context) && usesUdp(context),
  needs: [{ cluster: 'nodes' }],
  judge: (facts, context) =>
    ofPods((pods, { node, viewers }) => {
      const { perNode, nodes } = spreadOf(facts, pods, viewers);
      const cores = Math.min(...(nodes ?? []).map(({ status }) => quantityOf(status?.allocatable?.['cpu'] ?? '') ?? 0));
      const table = Math.max(minEntries, Number.isFinite(cores) ? Math.floor(cores) * entriesPerCore : 0);
      const read = `${formatCount(perNode)} viewers of ${node} ${spreadText(nodes)} need ${formatCount(perNode * flowsPerViewer)} of ${formatCount(table)} entries, the default of kube-proxy`;
      return perNode * flowsPerViewer > table / 2
        ? warn(
            `${read}.`,
            `On the nodes: sudo sysctl -w net.netfilter.nf_conntrack_max=${2 ** Math.ceil(Math.log2(perNode * flowsPerViewer * 2))}`,
          )
        : pass(`${read}.`);
    })(context),
};

export const kubernetesRules: readonly PreflightRule[] = [quota, nodeRoom, networkPolicies, snatPorts, conntrackTable];
