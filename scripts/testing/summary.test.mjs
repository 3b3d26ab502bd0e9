import { expect, it } from 'vitest';
import { summaryOf } from './summary.mjs';

const part = (name, more) => ({ name, passed: 2, failed: 0, notes: [], seconds: 1.25, ...more });

it('the end of a test run has parts with notes, the ten slowest tests, second tries, and the sums last', () => {
  const durations = Array.from({ length: 8 }, (_, i) => ({ name: `test ${i}`, ms: 1000 * i }));
  const lines = summaryOf([
    part('lint'),
    part('unit', { failed: 1, notes: ['a failed'], durations }),
    part('servers', { durations: durations.map(({ name, ms }) => ({ name: `slow ${name}`, ms: ms + 100 })) }),
  ]);
  expect(lines.slice(0, 4)).toEqual([
    'lint             2 passed    0 failed     1.3 s',
    'unit             2 passed    1 failed     1.3 s',
    '  a failed',
    'servers          2 passed    0 failed     1.3 s',
  ]);
  expect(lines[4]).toBe('Slowest tests:');
  const slowest = lines.slice(5, 15);
  expect(slowest[0]).toBe('     7.1 s  slow test 7');
  expect(slowest[1]).toBe('     7.0 s  test 7');
  expect(slowest.at(-1)).toBe('     3.0 s  test 3');
  expect(lines.slice(15)).toEqual(['No test needed a second try.', '6 passed, 1 failed']);
});

it('tests that passed on a second try only are named', () => {
  const lines = summaryOf([part('e2e', { secondTries: ['tests/e2e/a.test.ts > b: Error: late'] })]);
  expect(lines.slice(1, 3)).toEqual(['Passed on the second try only:', '  tests/e2e/a.test.ts > b: Error: late']);
});
