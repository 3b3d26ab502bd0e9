import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { neededPermissions, roleManifest } from './access';
import { includesIndex, selects } from './objects';
import { jobManifest, secretManifest } from './manifest';
import { accessText, groupText } from './manifestText';
import { agentPort, labelValue, objectName } from './names';
import { annotationsOf, ownerOf, userLabel } from './owner';
import { quantityFault, quantityOf } from './quantity';

const owner = { id: '0123', user: 'qa', host: 'laptop.example', pid: 4711 };
const options = {
  name: 'fullhouse-load-1',
  node: 'load',
  settings: {
    replicas: 20,
    namespace: 'tests',
    image: 'registry.example/load/agent:1',
    resources: { cpu: '2', memory: '1Gi' },
  },
  owner,
  version: '0.1.0',
  idleTimeout: '120s',
};

it('describes one Job of restricted pods, each with its requests and no account of the cluster', () => {
  const { metadata, spec } = jobManifest(options);
  expect(metadata).toMatchObject({ name: 'fullhouse-load-1', namespace: 'tests' });
  expect(spec).toMatchObject({
    completionMode: 'Indexed',
    completions: 20,
    parallelism: 20,
    podReplacementPolicy: 'Failed',
  });
  expect(spec.activeDeadlineSeconds).toBeGreaterThan(0);
  expect(spec.ttlSecondsAfterFinished).toBeGreaterThan(0);
  const { spec: podSpec } = spec.template;
  expect(podSpec).toMatchObject({ restartPolicy: 'Never', automountServiceAccountToken: false });
  expect(podSpec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  const [agent] = podSpec.containers;
  expect(agent?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(agent?.resources).toEqual({ requests: { cpu: '2', memory: '1Gi' }, limits: { memory: '1Gi' } });
  expect(agent?.args).toContain(`127.0.0.1:${agentPort}`);
  expect(agent?.image).toBe('registry.example/load/agent:1');
  expect(podSpec).not.toHaveProperty('hostNetwork');
});

it('keeps pods on the network of a node apart by their port', () => {
  const { spec } = jobManifest({ ...options, settings: { ...options.settings, hostNetwork: true } }).spec.template;
  expect(spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
  expect(spec.containers[0]).toMatchObject({ ports: [{ hostPort: agentPort }] });
});

it('lets the Job own the Secret', () => {
  expect(secretManifest(options, 'token', 'uid-1').metadata.ownerReferences).toEqual([
    { apiVersion: 'batch/v1', kind: 'Job', name: 'fullhouse-load-1', uid: 'uid-1' },
  ]);
});

it('prints what is applied, without a token', () => {
  const [job, secret] = parseAllDocuments(groupText(options)).map((each) => each.toJS() as { kind: string });
  expect(job).toEqual(jobManifest(options));
  expect(secret).toMatchObject({ kind: 'Secret', stringData: { token: '(random, set at each start)' } });
  const [role, binding] = parseAllDocuments(accessText('tests')).map((each) => each.toJS() as unknown);
  expect(role).toEqual(roleManifest('tests'));
  expect(binding).toMatchObject({ kind: 'RoleBinding', roleRef: { kind: 'Role' } });
  expect(() => parse(accessText('tests').split('---')[0] ?? '') as unknown).not.toThrow();
});

it('asks for nothing of the whole cluster in the Role, and never to read Secrets', () => {
  const { rules } = roleManifest('tests');
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('nodes');
  expect(rules.find(({ resources }) => resources.includes('secrets'))?.verbs).toEqual(['create', 'delete']);
  expect(JSON.stringify(rules)).not.toContain('*');
  expect(neededPermissions.every(({ purpose }) => purpose.length > 5)).toBe(true);
});

it('names objects and labels as Kubernetes accepts them', () => {
  expect(objectName('Load_Test 1', 'ab12')).toBe('fullhouse-load-test-1-ab12');
  expect(objectName('...', 'ab12')).toBe('fullhouse-ab12');
  expect(objectName('x'.repeat(100), 'ab12').length).toBeLessThan(50);
  expect(labelValue('qa user@host.example')).toBe('qa-user-host.example');
  expect(labelValue('_x_')).toBe('x');
  expect(userLabel(owner)).toBe('qa.laptop.example');
});

it('reads the owner from the annotations', () => {
  expect(ownerOf(annotationsOf(owner, 'load'))).toEqual({
    user: 'qa',
    host: 'laptop.example',
    pid: 4711,
    node: 'load',
  });
  expect(ownerOf({ 'fullhouse/pid': 'x' })).toBeUndefined();
  expect(ownerOf(undefined)).toBeUndefined();
});

it.each([
  ['500m', 0.5],
  ['2', 2],
  ['1.5', 1.5],
  ['512Mi', 512 * 2 ** 20],
  ['1G', 1e9],
  ['2e3', 2000],
  ['110', 110],
])('quantity %s', (text, value) => expect(quantityOf(text)).toBeCloseTo(value));

it.each(['', 'x', '1 GB', '-1', '1MiB'])('"%s" is no quantity', (text) =>
  expect(quantityFault(text)).toContain('500m'),
);

it('reads lists of indexes', () => {
  expect([0, 1, 2, 3, 5, 6].filter((index) => includesIndex('1,3-5', index))).toEqual([1, 3, 5]);
  expect(includesIndex(undefined, 0)).toBe(false);
  expect(includesIndex('', 0)).toBe(false);
});

it('selects by labels', () => {
  expect(selects(undefined, {})).toBe(true);
  expect(selects({ matchLabels: { a: '1' }, matchExpressions: undefined }, { a: '1', b: '2' })).toBe(true);
  expect(selects({ matchLabels: { a: '2' }, matchExpressions: undefined }, { a: '1' })).toBe(false);
  const by = (operator: string, values?: string[]) => ({
    matchLabels: undefined,
    matchExpressions: [{ key: 'a', operator, values }],
  });
  expect(selects(by('In', ['1', '2']), { a: '1' })).toBe(true);
  expect(selects(by('NotIn', ['1']), { a: '1' })).toBe(false);
  expect(selects(by('Exists'), {})).toBe(false);
  expect(selects(by('DoesNotExist'), {})).toBe(true);
});
