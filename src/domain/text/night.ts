import { formatWallTime, type TimeZoneChoice } from './timeFormat';

/** When a room is dark and a screen in it should be too: from 22:00 to 6:00. */
const fromHour = 22;
const untilHour = 6;

/** Whether it is night at a time, by the clocks of a zone. */
export function isNight(timeMs: number, zone: TimeZoneChoice): boolean {
  const hour = Number(formatWallTime(timeMs, zone).slice(0, 2));
  return hour >= fromHour || hour < untilHour;
}
