import { describe, expect, it } from 'vitest';
import { runTimeScale, wallTimeScale } from './timeScale';

const labels = (fromMs: number, toMs: number, widthPx: number, zone: string): readonly string[] =>
  wallTimeScale(zone)
    .ticks(fromMs, toMs, widthPx)
    .map(({ label }) => label);
const minute = 60_000;
const hour = 60 * minute;

describe('a scale of wall times', () => {
  it('has round ticks of the zone, not of UTC', () => {
    const fromMs = Date.UTC(2026, 10, 28, 8, 31);
    expect(labels(fromMs, fromMs + 30 * minute, 220, 'utc')).toEqual(
      ['08:35', '08:40', '08:45', '08:50', '08:55', '09:00'].filter((_, index) => index % 2 === 1),
    );
    // Half an hour beside full hours.
    expect(labels(fromMs, fromMs + 6 * hour, 180, 'Asia/Kolkata')).toEqual(['16:00', '18:00', '20:00']);
  });

  it('has seconds only where ticks are closer than a minute', () => {
    const fromMs = Date.UTC(2026, 10, 28, 14, 5);
    expect(labels(fromMs, fromMs + minute, 220, 'utc')).toEqual([
      '14:05:00',
      '14:05:15',
      '14:05:30',
      '14:05:45',
      '14:06:00',
    ]);
    expect(labels(fromMs, fromMs + 5 * minute, 220, 'utc')).toEqual([
      '14:05',
      '14:06',
      '14:07',
      '14:08',
      '14:09',
      '14:10',
    ]);
  });

  it('names the day at midnight, and no label touches it', () => {
    const fromMs = Date.UTC(2026, 10, 28, 23, 40);
    expect(labels(fromMs, fromMs + 40 * minute, 360, 'utc')).toEqual([
      '23:40',
      '23:45',
      '23:50',
      '',
      'Sun 29 Nov',
      '',
      '00:10',
      '00:15',
      '00:20',
    ]);
  });

  it('has dates over several days', () => {
    const fromMs = Date.UTC(2026, 10, 21, 14, 0);
    expect(labels(fromMs, fromMs + 7 * 24 * hour, 500, 'utc')).toEqual([
      'Sun 22 Nov',
      'Mon 23 Nov',
      'Tue 24 Nov',
      'Wed 25 Nov',
      'Thu 26 Nov',
      'Fri 27 Nov',
      'Sat 28 Nov',
    ]);
  });

  it('stays round across a change of the clocks, and skips the hour that does not exist', () => {
    // Clocks in Berlin go from 02:00 to 03:00 at 01:00 UTC.
    const fromMs = Date.UTC(2027, 2, 27, 23, 30);
    expect(labels(fromMs, fromMs + 4 * hour, 220, 'Europe/Berlin')).toEqual(['01:00', '03:00', '04:00', '05:00']);
  });

  it('reads as a time of day', () => {
    expect(wallTimeScale('utc').text(Date.UTC(2026, 10, 28, 14, 5, 9))).toBe('14:05:09');
  });
});

describe('a scale of a run', () => {
  it('counts from the start', () => {
    expect(runTimeScale.ticks(0, 150_000, 218).map(({ label }) => label)).toEqual([
      '0:00',
      '0:30',
      '1:00',
      '1:30',
      '2:00',
      '2:30',
    ]);
  });
});
