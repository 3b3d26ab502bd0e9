import { expect, it } from 'vitest';
import { intervalText, RegularStills } from './regularStills';

it('is due every n seconds since it was turned on, whatever the calls are late', () => {
  const stills = new RegularStills();
  const due: number[] = [];
  for (let second = 0; second < 65; second += 1)
    if (stills.isDue(second * 1000 + (second % 3) * 40, 30)) due.push(second);
  expect(due).toEqual([30, 60]);
});

it('is never due while off, and counts anew when turned on', () => {
  const stills = new RegularStills();
  expect(stills.isDue(0, 10)).toBe(false);
  expect(stills.isDue(60_000, undefined)).toBe(false);
  expect(stills.isDue(61_000, 10)).toBe(false);
  expect(stills.isDue(71_000, 10)).toBe(true);
});

it('names its interval', () => {
  expect([10, 60, 300].map((seconds) => intervalText(seconds as 10))).toEqual(['10 s', '1 min', '5 min']);
});
