import { expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { audienceLines, severalAudiences } from './audiences';
import { parsePlan } from './planYaml';

const planOf = (...pulls: readonly string[]) =>
  parsePlan(
    `name: x
nodes: { lab: { server: lab }, a: { tester: local } }
publish: []
pull: [${pulls.map((more) => `{ from: lab, by: [a], viewers: 5, rate: 1/s, hold: 1s, ${more} }`).join(', ')}]
`,
  ).plan;
const namesOf = (...pulls: readonly string[]): readonly string[] =>
  severalAudiences(planOf(...pulls)).map(({ name }) => name);

it('names several audiences by label, or by protocol and stream, then by network and number', () => {
  expect(namesOf('stream: cam, protocol: whep')).toEqual([]);
  expect(namesOf('stream: cam, protocol: whep', 'stream: cam, protocol: hls, label: Phones')).toEqual([
    'WHEP cam',
    'Phones',
  ]);
  expect(
    namesOf(
      'stream: cam, protocol: whep',
      'stream: cam, protocol: whep, network: 3g',
      'stream: cam, protocol: whep, network: 3g',
    ),
  ).toEqual(['WHEP cam, real network', 'WHEP cam, 3G', 'WHEP cam, 3G (2)']);
});

it('draws them in the colours after those of the nodes', () => {
  const nodes = [4, 2].map((colourSlot) => ({ colourSlot }) as NodeView);
  const plan = planOf('stream: cam, protocol: whep', 'stream: cam, protocol: hls');
  expect(audienceLines(nodes, plan).map(({ id, colourSlot }) => [id, colourSlot])).toEqual([
    ['audience:1', 5],
    ['audience:2', 6],
  ]);
  expect(audienceLines(nodes, undefined)).toEqual([]);
});
