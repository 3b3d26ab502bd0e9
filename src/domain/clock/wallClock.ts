/** Local time of a Unix time in ms: `17:41:51.482`. */
export function wallClock(timeMs: number): string {
  const time = new Date(timeMs);
  const digits = (value: number, count: number): string => String(value).padStart(count, '0');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((value) => digits(value, 2)).join(':');
  return `${clock}.${digits(time.getMilliseconds(), 3)}`;
}
