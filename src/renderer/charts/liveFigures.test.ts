import { expect, it } from 'vitest';
import { LiveFigures } from './liveFigures';
import { SampleStore } from './sampleStore';

it('computes the figures of a store in slices of a few milliseconds, and again after new samples', () => {
  const store = new SampleStore();
  const keys = Array.from({ length: 40 }, (_, at) => ({ node: 'a', series: `server:s${at}` as const }));
  const append = (timeMs: number, value: number): void =>
    store.append({
      keys,
      key: keys.map((_, at) => at),
      timeMs: keys.map(() => timeMs),
      value: keys.map(() => value),
    });
  append(1000, 5);
  append(2000, 9);
  const figures = new LiveFigures(store);
  let clock = 0;
  let rounds = 1;
  // A clock on which each series takes a millisecond.
  while (!figures.step(() => (clock += 1))) rounds += 1;
  expect(rounds).toBeGreaterThan(5);
  expect(figures.all).toHaveLength(40);
  expect(figures.all[0]).toMatchObject({ count: 2, last: 9, min: 5, max: 9, maxMs: 2000 });
  append(3000, 1);
  while (!figures.step());
  expect(figures.all[0]).toMatchObject({ count: 3, last: 1, min: 1, max: 9 });
  expect(figures.isComplete).toBe(true);
});
