import { expect, it } from 'vitest';
import { alertRules } from './rules';
import { ruleFault } from './ruleFault';

const fault = (list: unknown): string | undefined => {
  const { error } = alertRules.safeParse(list);
  return error && ruleFault(error, list);
};
const lost = { name: 'a', kind: 'node-lost', forMs: 1000, severity: 'info' };

it('names the rule and its field', () => {
  expect(fault([lost])).toBeUndefined();
  expect(fault({ a: 1 })).toBe('It is not a list of rules; each begins with "- name:".');
  expect(fault(null)).toContain('not a list');
  expect(fault([lost, { ...lost, name: 'b', severity: undefined }])).toMatch(/^Rule 2, "b", has a wrong severity: /);
  expect(fault([{ name: 'a', kind: 'node-lost', forMs: 1 }])).toBe('Rule 1, "a", has no severity.');
  expect(fault([{ name: 'a', kind: 'node-lost', severity: 'info' }])).toBe(
    'Rule 1, "a", has no forMs. Write a whole number of milliseconds, e.g. 5000.',
  );
  expect(fault([{ ...lost, forMs: '5s' }])).toBe(
    'Rule 1, "a", has a wrong forMs. Write a whole number of milliseconds, e.g. 5000.',
  );
  expect(fault([{ ...lost, colour: 'red' }])).toBe('Rule 1, "a", has the unknown field colour.');
  expect(fault([{ ...lost, kind: 'x' }])).toMatch(/^Rule 1, "a", has no known kind; /);
  expect(fault([lost, lost])).toBe('Two rules have the same name; each needs its own.');
  expect(fault(['text'])).toMatch(/^Rule 1 can't be used/);
});
