import { formatRounded } from '../text/numberFormat';
import { seriesDefinition, type SeriesId, type Unit } from './series';

/** Amounts of a series as text, in the series' unit or a convertible one. */

interface UnitWords {
  /** Factor of each to the series' unit; the first is used for output. */
  readonly factors: Readonly<Record<string, number>>;
  readonly example: string;
}

const bytes = { B: 1, bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** In an order that puts a unit before its own suffixes. */
const unitWords: Readonly<Record<Unit, UnitWords>> = {
  '': { factors: { '': 1 }, example: '100' },
  '%': { factors: { '%': 1 }, example: '80%' },
  ms: { factors: { ms: 1, s: 1000 }, example: '200ms' },
  s: { factors: { s: 1, ms: 1 / 1000, m: 60 }, example: '2s' },
  '/s': { factors: { '/s': 1, '/min': 1 / 60 }, example: '100/s' },
  fps: { factors: { fps: 1 }, example: '25fps' },
  'Mbit/s': { factors: { 'Mbit/s': 1, 'kbit/s': 1 / 1000, 'Gbit/s': 1000 }, example: '100Mbit/s' },
  'kbit/s': { factors: { 'kbit/s': 1, 'Mbit/s': 1000 }, example: '500kbit/s' },
  bytes: { factors: bytes, example: '4GB' },
  'packets/s': { factors: { 'packets/s': 1, '/s': 1 }, example: '1000packets/s' },
  frames: { factors: { frames: 1 }, example: '10frames' },
  packets: { factors: { packets: 1 }, example: '10packets' },
  dB: { factors: { dB: 1 }, example: '35dB' },
};

/** An example for a series, e.g. `200ms`. */
export function exampleOf(series: SeriesId): string {
  return exampleIn(unitOf(series));
}

/** An amount in a unit, as plans write it, e.g. `200ms`. */
export function exampleIn(unit: Unit): string {
  return unitWords[unit].example;
}

function unitOf(series: SeriesId): Unit {
  return seriesDefinition(series)?.unit ?? '';
}

/** Percent of one core: a process has several threads. */
const ofOneCore: ReadonlySet<string> = new Set(['processCpuPercent', 'processWaitPercent']);

/** Whether a series is a share of a whole: never above 100 %. */
export function isShare(series: SeriesId): boolean {
  return seriesDefinition(series)?.unit === '%' && !ofOneCore.has(series);
}

/**
 * Reads `200ms` or `4 GB` as a value of the series; otherwise returns an error without instructions, such as `200 has
 * no unit`.
 */
export function parseAmount(series: SeriesId, text: string): number | string {
  const { title, unit } = seriesDefinition(series) ?? { title: series, unit: '' };
  const { factors } = unitWords[unit];
  const match = /^(-?)(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(.*)$/i.exec(text.trim());
  const [, minus = '', digits = '', word = ''] = match ?? [];
  if (!match) return `"${text}" is not valid.`;
  // Only server-specific figures have no bounds.
  if (minus && !series.startsWith('server:')) return `${text} is negative.`;
  if (!Object.hasOwn(factors, word))
    return word === ''
      ? `${text} has no unit: ${title} is in ${unit}.`
      : `"${text}" is in the wrong unit: ${title} ${unit === '' ? 'is a plain number' : `is in ${unit}`}.`;
  const value = Number(digits) * (factors[word] ?? 1);
  if (!Number.isFinite(value)) return `${text} is too large.`;
  if (value > 100 && isShare(series)) return `${text} is more than 100 %.`;
  return minus ? -value : value;
}

/** The inverse of `parseAmount`, lossless: `200ms`, `4GB`. */
export function writeAmount(series: SeriesId, value: number): string {
  const unit = unitOf(series);
  if (unit !== 'bytes') return `${value}${Object.keys(unitWords[unit].factors)[0] ?? ''}`;
  const sizes = ['GB', 'GiB', 'MB', 'MiB', 'kB', 'KiB'] as const;
  const whole = sizes.find((size) => value > 0 && value % bytes[size] === 0);
  return whole ? `${value / bytes[whole]}${whole}` : `${value}B`;
}

/** For display: `200 ms`, `1.5 GB`. */
export function describeAmount(series: SeriesId, value: number): string {
  const unit = unitOf(series);
  if (unit === '') return formatRounded(value);
  if (unit !== 'bytes') return `${formatRounded(value)} ${unit}`;
  const size = (['GB', 'MB', 'kB'] as const).find((unit) => Math.abs(value) >= bytes[unit]);
  return size ? `${formatRounded(value / bytes[size])} ${size}` : `${formatRounded(value)} bytes`;
}
