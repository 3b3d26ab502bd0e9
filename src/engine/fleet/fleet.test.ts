import { expect, it } from 'vitest';
import { Fleet } from './fleet';

const fleet = (): Fleet =>
  new Fleet({ agentFolder: '/a', samplesFolder: '/s', versions: {}, labHttp: '127.0.0.1:0', now: () => 0 });

it('always has the lab and this machine, in this order', () => {
  expect(fleet().nodes.map((node) => node.view())).toMatchObject([
    { id: 'lab', role: 'origin', server: 'lab', colourSlot: 1, state: 'idle' },
    { id: 'local', role: 'tester', colourSlot: 2, state: 'idle' },
  ]);
});

it('gives a plan’s names the nodes of their kind', () => {
  const all = fleet();
  const bound = all.bind({ origin: { server: 'lab' }, audience: { tester: 'local' } });
  expect([...bound].map(([name, node]) => [name, node.id])).toEqual([
    ['origin', 'lab'],
    ['audience', 'local'],
  ]);
  expect(all.nodes).toHaveLength(2);
});

it('keeps a node for the name that it has, whatever the order', () => {
  const bound = fleet().bind({
    first: { tester: 'local' },
    local: { tester: 'local' },
    lab: { server: 'lab' },
  });
  expect(bound.get('local')?.id).toBe('local');
  expect(bound.get('first')?.id).toBe('first');
});

it('makes another tester when a plan has more of them', () => {
  const all = fleet();
  const bound = all.bind({ one: { tester: 'local' }, two: { tester: 'local' } });
  expect(bound.get('two')?.view()).toMatchObject({
    id: 'two',
    role: 'tester',
    colourSlot: 3,
    host: 'this-machine',
  });
  expect(all.bind({ two: { tester: 'local' } }, bound).get('two')).toBe(bound.get('two'));
});

it('refuses a name that is taken by the other kind', () => {
  expect(() => fleet().bind({ lab: { tester: 'local' } })).toThrow(/nodes\.lab: "lab" is an origin already/);
});

it('says of an unknown node that there is none', () => {
  expect(() => fleet().node('moon')).toThrow('There is no node "moon".');
});
