import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { Plan } from '../model/plan';
import { observedOnly } from './observedNodes';

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

describe('nodes that a run only observes', () => {
  it('are those that it does not pull from, pull with or publish to', () => {
    const publish: Plan['publish'] = [
      { stream: 'cam', node: 'inlet', source: 'sample-240p', by: 'encoder' },
      { stream: 'cam', node: 'srs', source: 'external' },
    ];
    const nodes = ['srs', 'tester-1', 'inlet', 'encoder', 'nginx-1'].map((id) => node(id));
    expect([...observedOnly({ pull, publish }, nodes)]).toEqual(['nginx-1']);
  });

  it("are returned by id, and matched by the plan's names", () => {
    expect([...observedOnly({ pull, publish: [] }, [node('a', 'srs'), node('b', 'edge')])]).toEqual(['b']);
  });
});
