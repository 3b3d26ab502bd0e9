import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consentFacts } from '../../../tests/support/consentFacts';
import { samplePlan } from '../../../tests/support/samplePlan';
import { urlKeys } from '../model/addressKeys';
import { secretKinds, type NodeSettings } from '../model/nodeSettings';
import type { Plan } from '../model/plan';
import type { ClusterAccess } from './clusterAccess';
import type { PlanConsent } from './consent';
import { consentPage, fieldKinds } from './fieldKinds';
import { consentOf } from './planConsent';
import { planPaths } from './planPaths';
import { audienceIn } from '../../../tests/support/pullPlan';

it('classifies every field of a plan, and no other', () => {
  expect(planPaths().filter((path) => !Object.hasOwn(fieldKinds, path))).toEqual([]);
  expect(Object.keys(fieldKinds).filter((path) => !planPaths().includes(path))).toEqual([]);
  expect(planPaths().length).toBeGreaterThan(150);
});

it('docs/consent.md is the page of the fields; if not: npx vitest run --project unit src/domain/consent -u', async () => {
  await expect(consentPage()).toMatchFileSnapshot(join(__dirname, '..', '..', '..', 'docs', 'consent.md'));
});

const address = 'http://10.9.9.9:9999/{stream}';
const origin = (settings: Record<string, unknown>): Plan =>
  samplePlan(
    {},
    { nodes: { origin: { server: 'generic', ...settings } as NodeSettings, audience: { tester: 'local' } } },
  );
const tester = (settings: Record<string, unknown>): Plan =>
  samplePlan({}, { nodes: { origin: { server: 'lab' }, audience: { tester: 'ssh', ...settings } as NodeSettings } });
const pods = (settings: Record<string, unknown> = {}): Plan =>
  tester({ tester: 'kubernetes', replicas: 4, image: 'registry.acme.io/agent:1', ...settings });
const newOrigin = { whep: address };

/** A plan with the field set, and what the person then reads. */
const examples: Readonly<Record<string, readonly [plan: Plan, shown: string | RegExp]>> = {
  ...Object.fromEntries(
    ['url', 'ws', 'control', 'metrics', 'nodeExporter', 'prometheus', 'proxy', ...urlKeys].map(
      (key) => [`nodes.NAME.${key}`, [origin({ [key]: address }), 'http://10.9.9.9:9999']] as const,
    ),
  ),
  'nodes.NAME.turn': [origin({ turn: 'turn:10.9.9.9:3478?transport=tcp' }), 'turn:10.9.9.9:3478'],
  'nodes.NAME.queries': [origin({ prometheus: address, queries: { cpuPercent: 'up' } }), 'http://10.9.9.9:9999'],
  'nodes.NAME.instance': [origin({ prometheus: address, instance: 'a:1' }), 'http://10.9.9.9:9999'],
  'nodes.NAME.user': [origin({ ...newOrigin, user: 'u' }), 'http://10.9.9.9:9999'],
  'nodes.NAME.apiKey': [origin({ ...newOrigin, apiKey: 'k' }), 'http://10.9.9.9:9999'],
  'nodes.NAME.allowCrossOrigin': [origin({ allowCrossOrigin: true }), /redirect the run to any other address/],
  'nodes.NAME.ssh': [tester({ ssh: 'qa@10.9.9.9:2222' }), 'ssh://qa@10.9.9.9:2222'],
  'nodes.NAME.jump': [tester({ ssh: 'x', jump: 'qa@10.9.9.9' }), 'ssh://qa@10.9.9.9'],
  'nodes.NAME.hosts': [tester({ hosts: ['10.9.9.9'], user: 'qa' }), 'ssh://qa@10.9.9.9'],
  'nodes.NAME.keyFile': [tester({ ssh: 'x', keyFile: '~/.ssh/id' }), /private key "~\/.ssh\/id"/],
  'nodes.NAME.gcLog': [origin({ gcLog: '/etc/shadow' }), /read "\/etc\/shadow" on the host of "origin"/],
  'nodes.NAME.config': [origin({ config: '/etc/shadow' }), /read "\/etc\/shadow" on the host of "origin"/],
  'nodes.NAME.familyFile': [
    origin({ server: 'file', familyFile: '/etc/shadow' }),
    /read "\/etc\/shadow" of this machine, as the description of the server "origin"/,
  ],
  'nodes.NAME.inventory': [tester({ inventory: '/etc/hosts#load' }), /from "\/etc\/hosts#load"/],
  ...Object.fromEntries(
    secretKinds.map(
      (key) =>
        [
          `nodes.NAME.${key}`,
          [origin({ ...newOrigin, [key]: '$env:PW' }), 'send $env:PW to http://10.9.9.9:9999'],
        ] as const,
    ),
  ),
  'nodes.NAME.tester': [pods(), /^create 4 pods/],
  'nodes.NAME.kubeconfig': [pods({ kubeconfig: 'kc.yaml' }), /read the kubeconfig "kc.yaml"/],
  'nodes.NAME.context': [pods({ context: 'prod' }), /context "prod"/],
  'nodes.NAME.namespace': [pods({ namespace: 'kube-system' }), /in the namespace "kube-system"/],
  'nodes.NAME.replicas': [pods({ replicas: 400 }), /create 400 pods/],
  'nodes.NAME.image': [pods({ image: 'evil/miner' }), /of the image "evil\/miner"/],
  'nodes.NAME.pullPolicy': [pods({ pullPolicy: 'Always' }), /pulling the image "Always"/],
  'nodes.NAME.resources': [pods({ resources: { cpu: '64' } }), /requesting cpu "64"/],
  'nodes.NAME.resources.cpu': [pods({ resources: { cpu: '64' } }), /requesting cpu "64"/],
  'nodes.NAME.resources.memory': [pods({ resources: { memory: '1Ti' } }), /memory "1Ti"/],
  'nodes.NAME.resources.cpuLimit': [pods({ resources: { cpuLimit: '64' } }), /cpuLimit "64"/],
  'nodes.NAME.nodeSelector': [pods({ nodeSelector: { role: 'master' } }), /on nodes with "role=master"/],
  'nodes.NAME.tolerations': [pods({ tolerations: [{ operator: 'Exists' }] }), /tolerating every taint/],
  'nodes.NAME.tolerations.key': [pods({ tolerations: [{ key: 'gpu' }] }), /tolerating the taint "gpu"/],
  'nodes.NAME.tolerations.operator': [pods({ tolerations: [{ key: 'k', operator: 'Equal' }] }), /"Equal"/],
  'nodes.NAME.tolerations.value': [pods({ tolerations: [{ key: 'k', value: 'v' }] }), /"v"/],
  'nodes.NAME.tolerations.effect': [pods({ tolerations: [{ key: 'k', effect: 'NoExecute' }] }), /"NoExecute"/],
  'nodes.NAME.hostNetwork': [pods({ hostNetwork: true }), /with the network of their nodes/],
  'publish.source': [
    samplePlan({}, { publish: [{ stream: 'cam', node: 'origin', source: '/home/u/private.mp4' }] }),
    /read "\/home\/u\/private.mp4"/,
  ],
  'publish.stream': [
    samplePlan({}, { publish: [{ stream: 'rtsp://10.9.9.9/a', node: 'origin', source: 'external' }] }),
    'rtsp://10.9.9.9',
  ],
  'pull.stream': [samplePlan({ stream: 'rtmp://10.9.9.9/live/a' }), 'rtmp://10.9.9.9'],
  'publish.simulcast': [
    samplePlan({}, { publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p', simulcast: ['/a.mp4'] }] }),
    /read "\/a.mp4"/,
  ],
  'pull.rooms.source': [samplePlan({ rooms: { size: 2, source: '/a.mp4' } }), /read "\/a.mp4"/],
  'pull.turn.url': [samplePlan({ turn: { share: 10, url: 'turns:10.9.9.9' } }), 'turns:10.9.9.9:5349'],
  ...Object.fromEntries(
    ['username', 'password', 'secret'].map(
      (key) =>
        [
          `pull.turn.${key}`,
          [
            samplePlan({ turn: { share: 10, url: 'turn:10.9.9.9', [key]: '$env:T' } }),
            'send $env:T to turn:10.9.9.9:3478',
          ],
        ] as const,
    ),
  ),
  'pull.tokens.file': [samplePlan({ tokens: { file: '/id_ed25519' } }), /send each line of "\/id_ed25519"/],
  'pull.tokens.command': [samplePlan({ tokens: { command: ['make'] } }), /run "make"/],
  'pull.tokens.secret': [
    { ...origin(newOrigin), pull: { ...audienceIn(samplePlan()), tokens: { secret: '$secret:JWT' } } },
    'send $secret:JWT to http://10.9.9.9:9999',
  ],
  'pull.headers': [
    { ...origin(newOrigin), pull: { ...audienceIn(samplePlan()), headers: { 'X-Key': 'a$env:KEY' } } },
    'send $env:KEY to http://10.9.9.9:9999',
  ],
  'hooks.run': [samplePlan({}, { hooks: [{ at: 'end', run: ['sh'] }] }), /run "sh"/],
  'hooks.post': [samplePlan({}, { hooks: [{ at: 'end', post: 'http://10.9.9.9/' }] }), /http:\/\/10.9.9.9\//],
};

const access: ClusterAccess = {
  ...{ server: 'https://10.9.9.9:6443', context: 'prod', namespace: 'load', user: 'u' },
  files: ['/ca.crt'],
  proxy: 'http://user:pw@10.8.8.8:3128',
  plugin: { command: ['aws', 'get token'], variables: { AWS_PROFILE: 'prod' } },
};
const consent = (plan: Plan, over = {}): PlanConsent =>
  consentOf(plan, consentFacts({ clusters: new Map([['audience', access]]), ...over }));
const linesOf = ({ items, newNodes }: PlanConsent): readonly string[] => [
  ...items.map(({ text }) => text),
  ...newNodes.flatMap(({ addresses }) => addresses),
];

describe('a plan with a field that needs consent', () => {
  const needed = Object.keys(fieldKinds).filter((path) => (fieldKinds[path] ?? []).length > 0);
  it.each(needed)('%s: the person reads what it does', (path) => {
    const [plan, shown] = examples[path] ?? [samplePlan(), `no example of ${path}`];
    const lines = linesOf(consent(plan));
    expect(lines.filter((line) => (typeof shown === 'string' ? line === shown : shown.test(line)))).toHaveLength(1);
  });

  it('is asked for nothing without them', () => {
    expect(consent(samplePlan())).toEqual({ items: [], newNodes: [] });
  });
});

describe('a kubeconfig that a plan names', () => {
  it('is shown with its program, files and proxy, and the cluster', () => {
    expect(linesOf(consent(pods({ kubeconfig: 'kc.yaml' })))).toEqual([
      'read the kubeconfig "kc.yaml" of this machine',
      'run AWS_PROFILE="prod" "aws" "get token" on this machine, to log in to the cluster https://10.9.9.9:6443 (context "prod") as "u"',
      'read "/ca.crt" of this machine, to log in to the cluster https://10.9.9.9:6443 (context "prod")',
      'send the requests to the cluster https://10.9.9.9:6443 (context "prod") by the proxy http://user:•••@10.8.8.8:3128',
      'create 4 pods of the image "registry.acme.io/agent:1" in the namespace "load" of the cluster https://10.9.9.9:6443 (context "prod")',
    ]);
  });

  it('that the person uses anyway is not', () => {
    expect(consent(pods()).items.map(({ kind }) => kind)).toEqual(['cluster']);
  });
});

describe("the person's own", () => {
  it('nodes are not asked for', () => {
    const plan = pods({ kubeconfig: 'kc.yaml' });
    expect(consent(plan, { isOwn: () => true })).toEqual({ items: [], newNodes: [] });
  });

  it('typed fields are not asked for, and what else the node has is', () => {
    const plan = tester({ ssh: 'qa@10.9.9.9', keyFile: '/id', jump: 'gate' });
    const { items, newNodes } = consent(plan, { isTyped: (path: string) => path !== 'nodes.audience.jump' });
    expect([items, newNodes]).toEqual([[], [{ name: 'audience', addresses: ['ssh://gate'] }]]);
  });

  it('known addresses need no consent, and secrets may be sent there', () => {
    const plan = origin({ ...newOrigin, httpPassword: '$env:PW' });
    expect(consent(plan, { isKnown: () => true })).toEqual({ items: [], newNodes: [] });
  });
});

it('an inspection of the nodes asks for what the nodes do only', () => {
  const plan: Plan = {
    ...tester({ ssh: 'x', keyFile: '/id' }),
    hooks: [{ at: 'end', run: ['sh'] }],
    publish: [{ stream: 'cam', node: 'origin', source: '/a.mp4' }],
  };
  const { items } = consentOf(plan, consentFacts(), 'nodes');
  expect(items.map(({ path }) => path)).toEqual(['nodes.audience.keyFile']);
});

it('names the audience of several, and shows what a line is about', () => {
  const pull = audienceIn(samplePlan({ tokens: { file: 'a' } }));
  const { items } = consentOf({ ...samplePlan(), also: [pull] }, consentFacts());
  expect(items).toEqual([
    {
      kind: 'file',
      path: 'pull.1.tokens.file',
      text: 'send each line of "a" of this machine to "origin", as the token of a viewer',
    },
  ]);
});
