import { formatDate, formatWallTime, type TimeZoneChoice } from '../../../domain/text/timeFormat';

/** `Tue 24 Nov 2026, 17:39:47` */
export function dateAndTime(timeMs: number, zone: TimeZoneChoice): string {
  return `${formatDate(timeMs, zone)}, ${formatWallTime(timeMs, zone)}`;
}

/** The day without its year, `Tue 24 Nov`. */
export function shortDate(timeMs: number, zone: TimeZoneChoice): string {
  return formatDate(timeMs, zone).replace(/ \d{4}$/, '');
}

/** Hours and minutes, `17:39`. */
export function hourAndMinute(timeMs: number, zone: TimeZoneChoice): string {
  return formatWallTime(timeMs, zone).slice(0, 5);
}

/** How long ago something was, `1 s`, `12 s`, `3 min`. */
export function age(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
