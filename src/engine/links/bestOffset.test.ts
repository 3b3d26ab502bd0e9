import { expect, it } from 'vitest';
import { BestOffset } from './bestOffset';

it('uses the fastest response and reports its uncertainty', () => {
  const offset = new BestOffset();
  offset.add(0, 200, 5190);
  offset.add(1000, 1010, 6104);
  offset.add(2000, 2400, 7250);
  expect(offset.view).toEqual({ offsetMs: 5099, uncertaintyMs: 5.5 });
  expect(offset.toLocal(6000)).toBe(901);
});

it('has no offset before the first response', () => {
  expect(new BestOffset().view).toBeUndefined();
  expect(new BestOffset().toLocal(77)).toBe(77);
});

it('follows a clock step at once', () => {
  const offset = new BestOffset();
  offset.add(0, 2, 1);
  offset.add(1000, 1100, 61_050);
  expect(offset.view?.offsetMs).toBe(60_000);
});

it('drops a measurement after 30 others, because clocks drift', () => {
  const offset = new BestOffset();
  offset.add(0, 0, 3);
  for (let tick = 0; tick < 30; tick += 1) offset.add(0, 20, 12);
  expect(offset.view?.offsetMs).toBe(2);
});
