import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Budget, BudgetExceeded } from './budget';

it('is of an input as a whole, and exceeding it is a sentence', () => {
  const left = new Budget('the response', 1000, 'metrics', 'check the address');
  left.take();
  left.take(999);
  expect(() => left.take()).toThrow(new BudgetExceeded('the response', 1000, 'metrics', 'check the address'));
  expect(new BudgetExceeded('it', 2_000_000, 'values').message).toBe('it has more than 2,000,000 values');
});

it('is documented with its constant and its test', () => {
  const inAgent = (path: string): string => (path.startsWith('src/') ? path : `agent/internal/${path}`);
  const rows = readFileSync('docs/budgets.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'));
  expect(rows.length).toBeGreaterThan(25);
  for (const row of rows) {
    const [constant = '', test = ''] = [...row.matchAll(/`([^`]+: ?[^`]+|[^`]+\.test\.ts)`/g)]
      .map(([, each]) => each ?? '')
      .slice(-2);
    for (const place of [constant, test]) {
      const [path = '', text = ''] = place.split(/: (.*)/);
      expect(existsSync(inAgent(path)), `${path} of ${row}`).toBe(true);
      const source = readFileSync(inAgent(path), 'utf8').replace(/ +/g, ' ');
      expect(source, place).toContain(text);
    }
  }
});
