/** Times for the screen. Exports use ISO 8601 (`new Date(timeMs).toISOString()`). */

/** `local`, `utc`, or the name of a zone in the IANA database, e.g. `Asia/Kolkata`. */
export type TimeZoneChoice = string;

/** The zone's name for `Intl`; undefined: the computer's own. */
function intlZone(zone: TimeZoneChoice): string | undefined {
  return zone === 'local' ? undefined : zone === 'utc' ? 'UTC' : zone;
}

/** Whether this system has a time zone of this name. */
export function isTimeZone(zone: string): zone is TimeZoneChoice {
  // Known without the system's zones, which take 25 ms to load.
  if (zone === 'local' || zone === 'utc') return true;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: intlZone(zone) });
    return true;
  } catch {
    return false;
  }
}

/** Formatters by zone: creating one takes about 50 us, and a table needs hundreds of times. */
function formatByZone(options: Intl.DateTimeFormatOptions): (zone: TimeZoneChoice) => Intl.DateTimeFormat {
  const formats = new Map<TimeZoneChoice, Intl.DateTimeFormat>();
  return (zone) => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: intlZone(zone) });
    formats.set(zone, format);
    return format;
  };
}

const wallFormat = formatByZone({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const dateFormat = formatByZone({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const nameFormat = formatByZone({ timeZoneName: 'short', hour: '2-digit' });
const calendarFormat = formatByZone({
  ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
  ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  hourCycle: 'h23',
});

const two = (value: number): string => String(value).padStart(2, '0');

/** Time since the start of a run as `00:02:04`; days are hours above 24, times before the start have a minus. */
export function formatRunTime(sinceStartMs: number): string {
  const seconds = Math.floor(Math.abs(sinceStartMs) / 1000);
  const sign = sinceStartMs <= -1000 ? '−' : '';
  return `${sign}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The short form for an axis and its chip: `1:47`, and `1:02:30` from one hour on. */
export function formatAxisTime(sinceStartMs: number): string {
  const seconds = Math.floor(Math.abs(sinceStartMs) / 1000);
  const sign = sinceStartMs <= -1000 ? '−' : '';
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const end = `${two(seconds % 60)}`;
  return sign + (hours > 0 ? `${hours}:${two(minutes)}:${end}` : `${minutes}:${end}`);
}

/** A duration: `0.8 s`, `45 s`, `2 min 5 s`, `1 h 3 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 9_950) return `${Number((durationMs / 1000).toFixed(1))} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return seconds % 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds / 60} min`;
  const minutes = Math.floor(seconds / 60);
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** Wall time of day as `17:41:34`, without the zone's name. */
export function formatWallTime(timeMs: number, zone: TimeZoneChoice): string {
  const date = new Date(timeMs);
  if (zone === 'utc') return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  if (zone === 'local') return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return wallFormat(zone).format(date);
}

/** A future time: `17:41:34` today, `2027-11-12 18:46` on any other day. */
export function formatFutureTime(timeMs: number, nowMs: number, zone: TimeZoneChoice): string {
  if (formatDate(timeMs, zone) === formatDate(nowMs, zone)) return formatWallTime(timeMs, zone);
  // A local date as in ISO 8601: shifted by the offset, it is the date in UTC.
  const offsetMs = zone === 'utc' ? 0 : new Date(timeMs).getTimezoneOffset() * 60_000;
  return new Date(timeMs - offsetMs).toISOString().slice(0, 16).replace('T', ' ');
}

/** An estimated duration: whole minutes from 90 s on, tens of seconds below. */
export function formatAbout(durationMs: number): string {
  const step = durationMs < 85_000 ? 10_000 : 60_000;
  return formatDuration(Math.max(1, Math.round(durationMs / step)) * step);
}

/** The zone's short name at that time: `UTC`, `CET`, `GMT+5:30`. */
export function zoneName(timeMs: number, zone: TimeZoneChoice): string {
  if (zone === 'utc') return 'UTC';
  const parts = nameFormat(zone).formatToParts(timeMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? 'local';
}

/** A date as `Tue 24 Nov 2026`. */
export function formatDate(timeMs: number, zone: TimeZoneChoice): string {
  const parts = dateFormat(zone).formatToParts(timeMs);
  const part = (type: string): string => parts.find((entry) => entry.type === type)?.value ?? '';
  return `${part('weekday')} ${part('day')} ${part('month').slice(0, 3)} ${part('year')}`;
}

/** Clock and calendar of a zone at a time, as if they were UTC, ms. */
function wallMs(timeMs: number, zone: TimeZoneChoice): number {
  const parts = calendarFormat(zone).formatToParts(timeMs);
  const part = (type: string): number => Number(parts.find((entry) => entry.type === type)?.value ?? 0);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** Offsets change at quarters of an hour at the earliest; looking one up takes about 50 us. */
const quarterMs = 900_000;
const offsets = new Map<string, number>();

/** What a zone's clocks are ahead of UTC at a time, ms. */
export function zoneOffsetMs(timeMs: number, zone: TimeZoneChoice): number {
  if (zone === 'utc') return 0;
  if (zone === 'local') return -new Date(timeMs).getTimezoneOffset() * 60_000;
  const quarter = Math.floor(timeMs / quarterMs) * quarterMs;
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size > 500) offsets.clear();
  const offsetMs = wallMs(quarter, zone) - quarter;
  offsets.set(key, offsetMs);
  return offsetMs;
}

/** A day as `2026-11-24`. */
export function formatIsoDay(timeMs: number, zone: TimeZoneChoice): string {
  return new Date(wallMs(timeMs, zone)).toISOString().slice(0, 10);
}

/** The time, Unix ms, at which clock and calendar of a zone show `wall` (built with `Date.UTC`). */
export function timeOfWall(wall: number, zone: TimeZoneChoice): number {
  // The offset depends on the result: a second step settles it, except for the hour skipped by a clock change.
  let timeMs = wall;
  for (let step = 0; step < 2; step += 1) timeMs = wall - (wallMs(timeMs, zone) - Math.floor(timeMs / 1000) * 1000);
  return timeMs;
}

/** A duration of a network, to the millisecond: `80 ms`, `1.5 s`. */
export const formatDelay = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);
