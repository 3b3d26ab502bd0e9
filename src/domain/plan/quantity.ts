/** Durations and rates as written in a plan, each with its unit. */

/** Written in place of the duration of a pull that never ends; 0 ms in a plan. */
export const untilStopped = 'until-stopped';

/** Maximum duration of any part of a run: a leap year. */
export const longestDays = 366;
export const longestMs = longestDays * 24 * 3_600_000;

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `60s`, `2m`, `500ms`, `1h30m` as ms; undefined for anything else, including a number without unit. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  const units = parts.map(([, , unit]) => unitMs[unit ?? ''] ?? 0);
  // 1m30s is one duration; 30s1m is more likely a mistake.
  if (units.some((unit, i) => i > 0 && unit >= (units[i - 1] ?? 0))) return undefined;
  return Math.round(parts.reduce((sum, [, amount], i) => sum + Number(amount) * (units[i] ?? 0), 0));
}

/** The shortest usual form of a duration of whole ms: `500ms`, `60s`, `1h30m`. */
export function writeDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  if (durationMs % 1000 === 0 && durationMs <= 90_000) return `${durationMs / 1000}s`;
  let rest = durationMs;
  return Object.entries(unitMs)
    .map(([unit, ms]) => {
      const amount = Math.floor(rest / ms);
      rest -= amount * ms;
      return amount > 0 ? `${amount}${unit}` : '';
    })
    .join('');
}

/** `200/s` or `10/min` as a rate per second; undefined for anything else. */
export function parseRate(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\/(s|min)$/.exec(text);
  return match ? Number(match[1]) / (match[2] === 'min' ? 60 : 1) : undefined;
}

/** The inverse of `parseRate`: per minute if that is a whole number and the rate per second is not. */
export function writeRate(ratePerSecond: number): string {
  const perMinute = Math.round(ratePerSecond * 60);
  const wholePerMinute = perMinute / 60 === ratePerSecond && !Number.isInteger(ratePerSecond * 10);
  return wholePerMinute ? `${perMinute}/min` : `${ratePerSecond}/s`;
}

const unitKbps: Readonly<Record<string, number>> = { kbit: 1, Mbit: 1000, Gbit: 1_000_000 };

/** `800kbit/s`, `1.5Mbit/s` or `1Gbit/s` in kbit/s; undefined for anything else. */
export function parseBitrate(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(kbit|Mbit|Gbit)\/s$/.exec(text);
  return match ? Number((Number(match[1]) * (unitKbps[match[2] ?? ''] ?? 0)).toPrecision(12)) : undefined;
}

/** The inverse of `parseBitrate`. */
export const writeBitrate = (kbps: number): string =>
  kbps >= 1000 ? `${Number((kbps / 1000).toPrecision(12))}Mbit/s` : `${kbps}kbit/s`;
