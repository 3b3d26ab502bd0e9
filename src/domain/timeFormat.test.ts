import { describe, expect, it } from 'vitest';
import {
  formatAxisTime,
  formatDate,
  formatDuration,
  formatRunTime,
  formatWallTime,
  zoneName,
} from './timeFormat';

const time = Date.UTC(2026, 10, 24, 16, 41, 34, 900);

describe('times', () => {
  it('writes run time in full and short', () => {
    expect(formatRunTime(107_900)).toBe('00:01:47');
    expect(formatRunTime(90_000_000)).toBe('25:00:00');
    expect(formatRunTime(-3000)).toBe('−00:00:03');
    expect(formatAxisTime(107_000)).toBe('1:47');
    expect(formatAxisTime(3_750_000)).toBe('1:02:30');
    expect(formatAxisTime(0)).toBe('0:00');
  });
  it('writes lengths of time', () => {
    expect([800, 45_000, 60_000, 125_000, 3_780_000, 7_200_000].map(formatDuration)).toEqual([
      '0.8 s',
      '45 s',
      '1 min',
      '2 min 5 s',
      '1 h 3 min',
      '2 h',
    ]);
  });
  it('writes wall time and date in UTC and says so', () => {
    expect(formatWallTime(time, 'utc')).toBe('16:41:34');
    expect(zoneName(time, 'utc')).toBe('UTC');
    expect(formatDate(time, 'utc')).toBe('Tue 24 Nov 2026');
  });
  it('names the local zone', () => {
    expect(zoneName(time, 'local')).not.toBe('');
    expect(formatWallTime(time, 'local')).toMatch(/^\d\d:\d\d:34$/);
  });
});
