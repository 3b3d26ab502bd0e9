import { describe, expect, it } from 'vitest';
import { thisMachine } from '../model/host';
import type { RunView } from '../model/run';
import { isEconomical } from './economy';

/** A run whose viewers are on the tester `by`, of two on this machine and elsewhere. */
const run = (by: string, state: RunView['state'] = 'running'): Pick<RunView, 'state' | 'plan' | 'nodes'> =>
  ({
    state,
    plan: { pull: { by: [by] } },
    nodes: [
      { id: 'local', name: 'local', host: thisMachine },
      { id: 'far', name: 'far', host: 'host 10.0.0.2' },
    ],
  }) as unknown as RunView;

describe('economy mode', () => {
  it('is on by itself while a run has viewers on this machine', () => {
    expect(isEconomical('automatic', run('local'))).toBe(true);
    expect(isEconomical('automatic', run('far'))).toBe(false);
    expect(isEconomical('automatic', run('local', 'ended'))).toBe(false);
    expect(isEconomical('automatic', undefined)).toBe(false);
  });

  it('is on always or never by choice', () => {
    expect(isEconomical('always', undefined)).toBe(true);
    expect(isEconomical('never', run('local'))).toBe(false);
  });
});
