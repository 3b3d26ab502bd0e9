import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { it } from 'vitest';
import { roleManifest, roleBindingManifest } from '../../src/domain/kubernetes/access';
import { KubernetesSource } from '../../src/engine/fleet/group/kubernetesSource';
import { thisOwner } from '../../src/engine/kubernetes/thisOwner';

const c = JSON.parse(readFileSync('/tmp/k/cluster.json', 'utf8'));
const kubectl = (args: string[], input?: string) => execFileSync(process.env['FULLHOUSE_KUBERNETES'] + '/kubectl', ['--kubeconfig', c.kubeconfig, ...args], { input, encoding: 'utf8' });
it('starts pods', async () => {
  try { kubectl(['create', 'namespace', 'load']); } catch {}
  const binding = roleBindingManifest('load');
  binding.subjects[0]!.name = 'restricted';
  kubectl(['apply', '-f', '-'], JSON.stringify(roleManifest('load')));
  kubectl(['apply', '-f', '-'], JSON.stringify(binding));
  const source = new KubernetesSource({
    id: 'load', settings: { replicas: 2, namespace: 'load', kubeconfig: c.restrictedKubeconfig, image: 'docker.io/fullhouse/agent:0.1.0', pullPolicy: 'Never', resources: { cpu: '100m', memory: '64Mi' } },
    owner: thisOwner(), version: '0.1.0', clock: { now: Date.now },
  });
  const t0 = Date.now();
  const log = (...a: unknown[]) => console.log(((Date.now() - t0) / 1000).toFixed(1), ...a);
  source.onMember((m) => log('member', m.index, m.name, m.link.hello.host));
  source.onLost((...a) => log('lost', ...a));
  let last = '';
  source.onReadiness(() => { const r = JSON.stringify(source.readiness); if (r !== last) log(last = r); });
  await source.start(new AbortController().signal);
  log('started');
  await new Promise((r) => setTimeout(r, 4000));
  const pods = kubectl(['get', 'pods', '-n', 'load', '-o', 'name']).trim().split('\n');
  kubectl(['delete', '-n', 'load', pods[0]!, '--wait=false']);
  await new Promise((r) => setTimeout(r, 25000));
  log(kubectl(['get', 'pods,secrets,jobs', '-n', 'load']));
  await source.stop();
  log(kubectl(['get', 'pods,secrets,jobs', '-n', 'load']));
}, 120000);
