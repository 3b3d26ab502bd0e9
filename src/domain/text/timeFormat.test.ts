import { describe, expect, it } from 'vitest';
import {
  formatAbout,
  formatFutureTime,
  formatAxisTime,
  formatDate,
  formatDuration,
  formatRunTime,
  formatWallTime,
  zoneName,
} from './timeFormat';

const time = Date.UTC(2026, 10, 24, 16, 41, 34, 900);

describe('times', () => {
  it('formats run time in long and short form', () => {
    expect(formatRunTime(107_900)).toBe('00:01:47');
    expect(formatRunTime(90_000_000)).toBe('25:00:00');
    expect(formatRunTime(-3000)).toBe('−00:00:03');
    expect(formatAxisTime(107_000)).toBe('1:47');
    expect(formatAxisTime(3_750_000)).toBe('1:02:30');
    expect(formatAxisTime(0)).toBe('0:00');
  });
  it('formats durations', () => {
    expect([800, 45_000, 60_000, 125_000, 3_780_000, 7_200_000].map(formatDuration)).toEqual([
      '0.8 s',
      '45 s',
      '1 min',
      '2 min 5 s',
      '1 h 3 min',
      '2 h',
    ]);
  });
  it('formats wall time and date in UTC, with the zone', () => {
    expect(formatWallTime(time, 'utc')).toBe('16:41:34');
    expect(zoneName(time, 'utc')).toBe('UTC');
    expect(formatDate(time, 'utc')).toBe('Tue 24 Nov 2026');
  });
  it('names the local zone', () => {
    expect(zoneName(time, 'local')).not.toBe('');
    expect(formatWallTime(time, 'local')).toMatch(/^\d\d:\d\d:34$/);
  });
});

it('formats a future time with its date unless it is today', () => {
  const now = Date.UTC(2026, 8, 22, 3, 46, 35);
  expect(formatFutureTime(now + 3_600_000, now, 'utc')).toBe('04:46:35');
  expect(formatFutureTime(now + 9999 * 3_600_000, now, 'utc')).toBe('2027-11-12 18:46');
  expect(formatFutureTime(now + 24 * 3_600_000, now, 'local')).toMatch(/^2026-09-23 \d\d:\d\d$/);
});

it('rounds estimates', () => {
  expect([3000, 44_000, 86_000, 361_000, 3_700_000].map(formatAbout)).toEqual([
    '10 s',
    '40 s',
    '1 min',
    '6 min',
    '1 h 2 min',
  ]);
});
