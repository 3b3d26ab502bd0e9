import { formatWallTime, type TimeZoneChoice } from './timeFormat';

/** Times of day as `22:00`; a night may end on the next day. */
export interface NightHours {
  readonly from: string;
  readonly until: string;
}

/** When wall mode is darker; switched off, its hours are kept. */
export interface WallNight extends NightHours {
  readonly isOff?: boolean | undefined;
}

/** When a room is dark and a screen in it should be too, unless the user has set it. */
export const usualNight: NightHours = { from: '22:00', until: '06:00' };

/** A time of day in 24 hours, with two digits each. */
export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether it is night at a time, by the clocks of a zone. */
export function isNight(timeMs: number, zone: TimeZoneChoice, { from, until }: NightHours = usualNight): boolean {
  const time = formatWallTime(timeMs, zone).slice(0, 5);
  return from <= until ? time >= from && time < until : time >= from || time < until;
}
