import { describe, expect, it } from 'vitest';
import { formatIsoDay, formatWallTime, isTimeZone, timeOfWall, zoneName } from '../../../domain/text/timeFormat';
import { allZones, findZones } from './zones';

const nowMs = Date.UTC(2026, 10, 24, 16, 39, 47);
const found = (text: string): readonly string[] => findZones(allZones(), text, nowMs).map(({ text }) => text);

describe('time zones', () => {
  it('are found by city, words in any order, present name and short name', () => {
    expect(found('york new')).toContain('America/New York');
    expect(found('kolkata')).toEqual(['Asia/Kolkata']);
    expect(found('cet')).toContain('Europe/Berlin');
    expect(found('nowhere at all')).toEqual([]);
  });

  it('show times of the zone, including daylight saving time', () => {
    expect(formatWallTime(nowMs, 'Asia/Kolkata')).toBe('22:09:47');
    expect(formatWallTime(Date.UTC(2026, 6, 1, 22, 30), 'Europe/Berlin')).toBe('00:30:00');
    expect(formatIsoDay(Date.UTC(2026, 6, 1, 22, 30), 'Europe/Berlin')).toBe('2026-07-02');
    expect(zoneName(nowMs, 'Asia/Kolkata')).toBe('GMT+5:30');
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });

  it('convert date and wall time back to Unix time', () => {
    for (const zone of ['utc', 'local', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin'])
      for (const timeMs of [nowMs, Date.UTC(2026, 2, 29, 3, 0), Date.UTC(2026, 6, 1)]) {
        const wall = Date.parse(`${formatIsoDay(timeMs, zone)}T${formatWallTime(timeMs, zone)}Z`);
        expect(timeOfWall(wall, zone)).toBe(timeMs);
      }
  });
});
