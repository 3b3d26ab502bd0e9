import { describe, expect, it } from 'vitest';
import { testPlan, testView } from '../../../../tests/support/savedRun';
import { savedView } from './run';
import { migrated } from './steps';

/** A value of `meta` of a file of format 2, as it is read. */
function read(key: string, value: unknown): unknown {
  return JSON.parse(String(migrated('meta', [key, JSON.stringify(value)], 2)[1]));
}

const planned = (change: object): unknown => ({ plan: { pull: { viewers: 1, ...change } } });

describe('the step to format 3', () => {
  it.each([
    [{ realism: 'full' }, { fidelity: 'browser' }],
    [{ realism: 'lean' }, { fidelity: 'media-only' }],
    [{}, {}],
    [{ realism: 'other' }, { fidelity: 'other' }],
  ])('reads %o as %o', (old, now) => {
    expect(read('view', planned(old))).toEqual(planned(now));
  });

  it('renames it for each audience, and in the shape that repeats are found by', () => {
    expect(read('view', { plan: { also: [{ realism: 'full' }, {}] } })).toMatchObject({
      plan: { also: [{ fidelity: 'browser' }, {}] },
    });
    expect(read('summary', { planShape: 'whep full, 10 at 5/s, hold 2 s + whep, 1 at 1/s, hold 2 s' })).toEqual({
      planShape: 'whep browser, 10 at 5/s, hold 2 s + whep, 1 at 1/s, hold 2 s',
    });
  });

  it.each([['not JSON'], ['[1]'], ['{"plan":3}'], ['{"plan":{"pull":null,"also":[null]}}']])(
    'leaves %s to the schema',
    (value) => {
      expect(() => migrated('meta', ['view', value], 2)).not.toThrow();
      expect(migrated('meta', ['constructor', value], 2)).toEqual(['constructor', value]);
    },
  );
});

it('a run with an invalid layout opens with the default one', () => {
  const view = {
    ...testView('old'),
    layout: { layout: { order: ['no such chart'], custom: [], hidden: [], folded: [] } },
  };
  expect(savedView.parse(view).layout).toBeUndefined();
});

it('unknown fields of a saved run are ignored', () => {
  const view = testView('later');
  const later = { ...view, later: 1, plan: { ...testPlan, later: 2, pull: { ...testPlan.pull, later: { a: 3 } } } };
  expect(savedView.parse(later)).toEqual(view);
});
