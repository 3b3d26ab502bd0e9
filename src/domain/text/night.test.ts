import { describe, expect, it } from 'vitest';
import { isNight } from './night';

describe('night', () => {
  const at = (hour: number, minute: number) => Date.UTC(2026, 10, 28, hour, minute);
  it('is from 22:00 to 6:00 by the clocks of the zone', () => {
    expect([at(21, 59), at(22, 0), at(3, 0), at(5, 59), at(6, 0)].map((timeMs) => isNight(timeMs, 'utc'))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    // 03:00 in UTC is 12:00 in Tokyo.
    expect(isNight(at(3, 0), 'Asia/Tokyo')).toBe(false);
  });

  it('may be set, also within one day', () => {
    const hours = { from: '12:30', until: '14:00' };
    const times = [at(12, 29), at(12, 30), at(13, 59), at(14, 0), at(23, 0)];
    expect(times.map((timeMs) => isNight(timeMs, 'utc', hours))).toEqual([false, true, true, false, false]);
  });
});
