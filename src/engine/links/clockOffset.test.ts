import { expect, it } from 'vitest';
import { ClockOffset } from './clockOffset';

it('takes half of the round trip off', () => {
  const clock = new ClockOffset();
  clock.add(1000, 1020, 1510);
  expect(clock.aheadMs).toBe(500);
  expect(clock.toOurs(2500)).toBe(2000);
});

it('is not led astray by one slow answer', () => {
  const clock = new ClockOffset();
  clock.add(1000, 1002, 1301);
  clock.add(2000, 2002, 2301);
  clock.add(3000, 4000, 3301);
  expect(clock.aheadMs).toBe(300);
});

it('believes the quickest answer of a busy time, in which most are slow one way', () => {
  const clock = new ClockOffset();
  clock.add(1000, 1900, 1310);
  clock.add(2000, 2004, 2302);
  clock.add(3000, 3700, 3320);
  expect(clock.aheadMs).toBe(300);
});

it('says 0 before anything was measured', () => {
  expect(new ClockOffset().toOurs(77)).toBe(77);
});

it('forgets what is long ago, so that a clock that was set is followed', () => {
  const clock = new ClockOffset();
  for (let i = 0; i < 20; i += 1) clock.add(0, 0, 100);
  for (let i = 0; i < 15; i += 1) clock.add(0, 0, 900);
  expect(clock.aheadMs).toBe(900);
});
