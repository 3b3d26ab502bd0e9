import { describe, expect, it } from 'vitest';
import { plain } from '../../tests/support/plans';
import { maxStops } from '../domain/plan/fields/stops';
import { parsePlan } from '../domain/plan/planYaml';
import { plan as schema } from './planSchemas';

const { plan } = parsePlan(plain);
const stop = { what: 'degraded', comparison: '>', value: 20, forMs: 1000 };
const threshold = { series: 'rttP95Ms', comparison: '<=', value: 1 };

describe('a plan at a border', () => {
  it.each([
    ['as read from YAML', {}],
    ['with a threshold of a node', { thresholds: [{ ...threshold, node: 'origin', tolerancePercent: 5, graceMs: 0 }] }],
    ['with a hook', { hooks: [{ at: 'end', run: ['notify', 'done'] }] }],
    ['with as many stop conditions as allowed', { stopWhen: Array(maxStops).fill(stop) }],
  ])('is valid %s', (_, change) => {
    const changed = { ...plan, ...change };
    expect(schema.parse(changed)).toEqual(changed);
  });

  it.each([
    ['without a name', { name: ' ' }],
    ['with an unknown expectation', { expect: { cpus: { comparison: '<=', value: 1 } } }],
    ['with an unknown field of a threshold', { thresholds: [{ ...threshold, is: '<= 1ms' }] }],
    ['with a tolerance above 100 %', { thresholds: [{ ...threshold, tolerancePercent: 101 }] }],
    ['with a hook that runs and posts', { hooks: [{ at: 'end', run: ['notify'], post: 'http://example.org' }] }],
    ['with too many stop conditions', { stopWhen: Array(maxStops + 1).fill(stop) }],
  ])('is refused %s', (_, change) => {
    expect(schema.safeParse({ ...plan, ...change }).success).toBe(false);
  });
});
