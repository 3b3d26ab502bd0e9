import { describe, expect, it } from 'vitest';
import type { NodeView } from './node';
import type { Plan } from './plan/plan';
import { watchedOnly } from './watched';

const node = (id: string, name = id): NodeView => ({
  id,
  name,
  role: 'origin',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: id,
  streams: [],
});
const pull: Plan['pull'] = {
  stream: 'cam',
  from: 'srs',
  by: ['tester-1'],
  protocol: 'whep',
  viewers: 1,
  ratePerSecond: 1,
  holdMs: 0,
};

describe('nodes that a run only watches', () => {
  it('are those that it neither pulls from, nor by, nor publishes to', () => {
    const publish: Plan['publish'] = [
      { stream: 'cam', node: 'inlet', source: 'sample-240p', by: 'encoder' },
      { stream: 'cam', node: 'srs', source: 'external' },
    ];
    const nodes = ['srs', 'tester-1', 'inlet', 'encoder', 'nginx-1'].map((id) => node(id));
    expect([...watchedOnly({ pull, publish }, nodes)]).toEqual(['nginx-1']);
  });

  it('are known by their ids, and found by the names that a plan uses', () => {
    expect([...watchedOnly({ pull, publish: [] }, [node('a', 'srs'), node('b', 'edge')])]).toEqual(['b']);
  });
});
