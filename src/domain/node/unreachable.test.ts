import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { unreachable } from './unreachable';

const srs: NodeView = {
  id: 'srs-1',
  name: 'srs-1',
  role: 'origin',
  server: 'srs',
  colourSlot: 1,
  state: 'live',
  reach: '10.0.0.7',
  host: 'host 10.0.0.7',
  streams: [],
  settings: { server: 'srs', url: 'http://10.0.0.7:1985' },
};
const tester: NodeView = {
  ...srs,
  id: 'tester-1',
  name: 'tester-1',
  role: 'tester',
  server: undefined,
  settings: { tester: 'ssh', ssh: 'qa@10.0.0.8' },
};

describe("a node that can't be used", () => {
  it.each(['idle', 'starting', 'live'] as const)('is not one that is %s', (state) => {
    expect(unreachable({ ...srs, state })).toBeUndefined();
  });

  it('is one that failed or stopped responding, with the reason and what to do', () => {
    expect(unreachable({ ...srs, state: 'failed', problem: 'srs-1 refuses on port 1985.' })).toBe(
      "srs-1 can't be used: srs-1 refuses on port 1985. Reconnect it in Nodes, or pull from another node.",
    );
    expect(unreachable({ ...tester, state: 'stale' })).toBe(
      'tester-1 has stopped responding. Reconnect it in Nodes, or choose another tester.',
    );
  });

  it('is not one that the run itself restarts', () => {
    expect(unreachable({ ...srs, builtIn: true, state: 'failed', settings: { server: 'lab' } })).toBeUndefined();
    expect(unreachable({ ...tester, state: 'failed', settings: { tester: 'local' } })).toBeUndefined();
    const links = [{ kind: 'ssh', label: 'SSH', state: 'live' }] as const;
    expect(unreachable({ ...tester, state: 'failed', problem: 'The agent has ended.', links })).toBeUndefined();
  });
});
