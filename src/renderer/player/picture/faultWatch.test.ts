import { expect, it } from 'vitest';
import { FaultWatch } from './faultWatch';

it('reports a fault once it has lasted for a second, and its end', () => {
  const watch = new FaultWatch();
  expect(watch.take(undefined, 0)).toEqual([]);
  expect(watch.take('black', 1000)).toEqual([]);
  expect(watch.open(1000)).toBeUndefined();
  expect(watch.take('black', 2010)).toEqual([{ kind: 'black', lengthMs: 1010, isOver: false }]);
  expect(watch.take('black', 3000)).toEqual([]);
  expect(watch.open(3500)).toEqual({ kind: 'black', lengthMs: 2500 });
  expect(watch.take(undefined, 4000)).toEqual([{ kind: 'black', lengthMs: 3000, isOver: true }]);
  expect(watch.open(4000)).toBeUndefined();
});

it('ignores a shorter one', () => {
  const watch = new FaultWatch();
  watch.take('uniform', 0);
  expect(watch.take('uniform', 990)).toEqual([]);
  expect(watch.take(undefined, 1990)).toEqual([]);
});

it('tells a fault from the one before it', () => {
  const watch = new FaultWatch();
  watch.take('black', 0);
  watch.take('black', 1000);
  expect(watch.take('green', 2000)).toEqual([{ kind: 'black', lengthMs: 2000, isOver: true }]);
  expect(watch.take('green', 3000)).toEqual([{ kind: 'green', lengthMs: 1000, isOver: false }]);
});

it('starts anew after an interruption', () => {
  const watch = new FaultWatch();
  watch.take('black', 0);
  watch.take('black', 1000);
  watch.forget();
  expect(watch.open(1100)).toBeUndefined();
  expect(watch.take(undefined, 2000)).toEqual([]);
});
