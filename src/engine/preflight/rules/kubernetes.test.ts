import { describe, expect, it } from 'vitest';
import { testRole } from '../../../../tests/support/preflightRole';
import { applies, judgeFacts } from '../../../../tests/support/preflightRule';
import { Facts, type Answer } from '../reading/facts';
import type { CheckContext } from '../rule';

const role = (over: Partial<CheckContext> = {}): CheckContext =>
  testRole({
    node: 'load',
    role: 'tester',
    server: undefined,
    tester: 'kubernetes',
    pods: { replicas: 4, resources: { cpu: '1', memory: '512Mi' } },
    origin: { node: 'origin' },
    ...over,
  });
const judge = (id: string, objects: Readonly<Record<string, unknown>>, context = role()) => {
  const answers = Object.entries(objects).map(([name, each]): [string, Answer] => [
    `cluster ${name}`,
    { text: JSON.stringify(each) },
  ]);
  return judgeFacts(id, new Facts('load', new Map(answers)), context);
};
const node = (name: string, cpu: string, over: object = {}, labels: object = {}) => ({
  metadata: { name, labels },
  spec: over,
  status: { allocatable: { cpu, memory: '8Gi', pods: '110' } },
});

describe('quotas', () => {
  const quotas = (hard: object, used: object = {}) => ({
    quotas: [{ metadata: { name: 'compute' }, status: { hard, used } }],
  });
  it('compares requests with what is left', () => {
    expect(judge('kubernetes.quota', { quotas: [] })).toMatchObject({ result: 'pass' });
    expect(
      judge('kubernetes.quota', quotas({ 'requests.cpu': '8', pods: '10' }, { 'requests.cpu': '4' })),
    ).toMatchObject({
      result: 'pass',
    });
    const { result, sentence } = judge(
      'kubernetes.quota',
      quotas({ 'requests.cpu': '6' }, { 'requests.cpu': '3500m' }),
    );
    expect(result).toBe('fail');
    expect(sentence).toBe(
      'Quota compute allows 6 of requests.cpu, 3500m are in use, and the 4 pods of load need 4 more.',
    );
    expect(judge('kubernetes.quota', quotas({ 'limits.memory': '1Gi' })).sentence).toContain('need 2048Mi more');
  });
  it('reports a quota that demands a CPU limit', () => {
    expect(judge('kubernetes.quota', quotas({ 'limits.cpu': '100' }))).toMatchObject({ result: 'fail' });
    const limited = role({ pods: { replicas: 4, resources: { cpuLimit: '2' } } });
    expect(judge('kubernetes.quota', quotas({ 'limits.cpu': '8' }), limited)).toMatchObject({ result: 'pass' });
    expect(judge('kubernetes.quota', quotas({ 'limits.cpu': '7' }), limited)).toMatchObject({ result: 'fail' });
  });
});

describe('room on the nodes', () => {
  it('counts pods by requests, selector, taints and cordon', () => {
    expect(judge('kubernetes.node-room', { nodes: [node('a', '2'), node('b', '3900m')] })).toMatchObject({
      result: 'pass',
      sentence: '2 of 2 nodes accept the pods of load, with room for 5 without other pods.',
    });
    expect(
      judge('kubernetes.node-room', { nodes: [node('a', '2'), node('b', '4', { unschedulable: true })] }),
    ).toMatchObject({
      result: 'fail',
      fix: 'replicas: 2',
    });
    const tainted = node('a', '8', { taints: [{ key: 'load', value: 'yes', effect: 'NoSchedule' }] }, { pool: 'x' });
    expect(judge('kubernetes.node-room', { nodes: [tainted] })).toMatchObject({ result: 'fail' });
    const pods = { replicas: 4, nodeSelector: { pool: 'x' }, tolerations: [{ key: 'load', value: 'yes' }] };
    expect(judge('kubernetes.node-room', { nodes: [tainted] }, role({ pods }))).toMatchObject({ result: 'pass' });
    const other = { ...pods, nodeSelector: { pool: 'y' } };
    expect(judge('kubernetes.node-room', { nodes: [tainted] }, role({ pods: other })).sentence).toContain('match none');
  });
  it('has one pod per node with hostNetwork', () => {
    const pods = { replicas: 3, hostNetwork: true };
    expect(judge('kubernetes.node-room', { nodes: [node('a', '8'), node('b', '8')] }, role({ pods }))).toMatchObject({
      result: 'fail',
      sentence: expect.stringContaining('room for 2 of 3; hostNetwork allows one per node') as string,
    });
  });
});

it('names network policies that restrict the egress of the pods', () => {
  const policy = (name: string, spec: object) => ({ metadata: { name }, spec });
  const of = (...policies: object[]) => judge('kubernetes.network-policy', { networkPolicies: policies });
  expect(of(policy('ingress', { podSelector: {}, policyTypes: ['Ingress'] }))).toMatchObject({ result: 'pass' });
  expect(of(policy('others', { podSelector: { matchLabels: { app: 'x' } }, policyTypes: ['Egress'] }))).toMatchObject({
    result: 'pass',
  });
  const { result, sentence } = of(policy('deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }));
  expect(result).toBe('warn');
  expect(sentence).toContain(
    'The network policy deny restricts the egress of the pods of load; it has to allow origin',
  );
});

describe('viewers per node', () => {
  const nodes = [node('a', '2'), node('b', '2')];
  it('against the ports of its address', () => {
    expect(judge('kubernetes.snat-ports', { nodes }, role({ viewers: 60_000 }))).toMatchObject({ result: 'pass' });
    expect(judge('kubernetes.snat-ports', { nodes }, role({ viewers: 80_000 }))).toMatchObject({ result: 'warn' });
    expect(judge('kubernetes.snat-ports', { nodes }, role({ viewers: 140_000 }))).toMatchObject({ result: 'fail' });
    expect(judge('kubernetes.snat-ports', {}, role({ viewers: 40_000 }))).toMatchObject({ result: 'warn' });
    const onHost = role({ viewers: 140_000, pods: { replicas: 4, hostNetwork: true } });
    expect(judge('kubernetes.snat-ports', { nodes }, onHost)).toMatchObject({ result: 'pass' });
  });
  it('against the default of connection tracking', () => {
    expect(judge('kubernetes.conntrack', { nodes }, role({ viewers: 60_000 }))).toMatchObject({ result: 'pass' });
    expect(judge('kubernetes.conntrack', { nodes }, role({ viewers: 70_000 }))).toMatchObject({
      result: 'warn',
      fix: 'On the nodes: sudo sysctl -w net.netfilter.nf_conntrack_max=262144',
    });
    expect(judge('kubernetes.conntrack', { nodes: [node('a', '16')] }, role({ viewers: 70_000 }))).toMatchObject({
      result: 'pass',
    });
  });
  it('only over UDP', () => {
    expect(applies('kubernetes.snat-ports', role({ protocols: ['hls'] }))).toBe(false);
    expect(applies('kubernetes.snat-ports', role())).toBe(true);
    expect(applies('kubernetes.snat-ports', testRole())).toBe(false);
  });
});
