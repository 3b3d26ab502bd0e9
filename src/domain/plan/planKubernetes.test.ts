import { expect, it } from 'vitest';
import { plain } from '../../../tests/support/plans';
import { parseNodes, parsePlan, nodesToYaml } from './planYaml';

const settings = {
  tester: 'kubernetes',
  replicas: 20,
  atLeast: 18,
  namespace: 'load',
  context: 'staging',
  resources: { cpu: '500m', memory: '512Mi' },
  nodeSelector: { pool: 'load', 'example.com/arm': 'true' },
  tolerations: [{ key: 'load', operator: 'Exists', effect: 'NoSchedule' }],
  hostNetwork: false,
  pullPolicy: 'Always',
} as const;

it('reads testers in a cluster, and writes them the same', () => {
  const yaml = `nodes:
  load: { tester: kubernetes, replicas: 20, atLeast: 18, namespace: load, context: staging, resources: { cpu: 500m, memory: 512Mi },
    nodeSelector: { pool: load, example.com/arm: "true" }, tolerations: [{ key: load, operator: Exists, effect: NoSchedule }],
    hostNetwork: false, pullPolicy: Always }`;
  expect(parseNodes(yaml)).toEqual({ load: settings });
  expect(parseNodes(nodesToYaml({ load: settings }))).toEqual({ load: settings });
  expect(parseNodes('nodes: { load: { tester: kubernetes, replicas: 1, namespace: $env:NS } }')['load']).toMatchObject({
    namespace: '$env:NS',
  });
});

it.each([
  ['tester: kubernetes', 'Add the number of pods'],
  ['tester: kubernetes, replicas: 0', '0'],
  ['tester: kubernetes, replicas: 2, atLeast: 3', "A group of 2 pods can't start with at least 3."],
  ['tester: kubernetes, replicas: 2, replica: 3', '"replica" is not a known field'],
  ['tester: kubernetes, replicas: 2, namespace: Load', 'not a name of a namespace'],
  ['tester: kubernetes, replicas: 2, resources: { cpu: lots }', '"lots" is not a quantity'],
  ['tester: kubernetes, replicas: 2, resources: { gpu: 1 }', '"gpu" is not a known field'],
  ['tester: kubernetes, replicas: 2, tolerations: [{ effect: Never }]', '"Never" is not known'],
  ['tester: kubernetes, replicas: 2, ssh: qa@host', '"ssh" is not of testers in a cluster'],
  ['tester: kubernetes, replicas: 2, hosts: [a]', '"hosts" is not of testers in a cluster'],
  ['tester: local, replicas: 2', '"replicas" is of testers in a cluster'],
])('%s', (fields, sentence) => expect(() => parseNodes(`nodes: { load: { ${fields} } }`)).toThrow(sentence));

it('a plan names the image of its pods: none in a registry is ours', () => {
  const withPods = (image: string): string =>
    plain.replace('{ tester: qa@192.0.2.12 }', `{ tester: kubernetes, replicas: 2${image} }`);
  expect(() => parsePlan(withPods(''))).toThrow(
    /nodes\.tester-2: Add the image of the agent: "npm run image" builds it/,
  );
  expect(parsePlan(withPods(', image: "registry.example/load/agent:1"')).plan.nodes['tester-2']).toMatchObject({
    image: 'registry.example/load/agent:1',
  });
  // A saved node without one is reported by its name, and the others stay usable.
  expect(parseNodes('nodes: { load: { tester: kubernetes, replicas: 1 } }')).toHaveProperty('load');
});
