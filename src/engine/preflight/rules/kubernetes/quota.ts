import { requestsOf } from '../../../../domain/kubernetes/eligibleNodes';
import { quantityOf } from '../../../../domain/kubernetes/quantity';
import type { KubernetesSettings } from '../../../../domain/model/kubernetesSettings';
import { clusterFact } from '../../reading/clusterFacts';
import { fail, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { ofPods, onCluster } from './onCluster';

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

export const quotaRule: PreflightRule = {
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
            `Quota ${metadata.name} allows ${text} of ${name}, ${status?.used?.[name] ?? '0'} are in use, and the ${whole(pods.replicas)} pods of ${node} need ${shown(need, name)} more.`,
          );
        }
      return pass(
        quotas.length === 0
          ? `The namespace of ${node} has no quota.`
          : `The quotas of the namespace have room for the ${whole(pods.replicas)} pods of ${node}.`,
      );
    })(context),
};

function shown(need: number, name: string): string {
  return name.endsWith('memory') ? `${Math.ceil(need / 2 ** 20)}Mi` : `${Math.round(need * 1000) / 1000}`;
}
