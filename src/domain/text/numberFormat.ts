/** Figures for the screen. Exports contain the plain number instead. */

/** Shown if nothing was measured. */
export const missing = '–';

/**
 * `integer`: 1,452. `tenths`: 87.9. `hundredths`: 0.39. `adaptive` keeps about three significant digits:
 * 253, 48.2, 4.6, 0.03.
 */
export type FigureStyle = 'integer' | 'tenths' | 'hundredths' | 'adaptive';

function decimalsOf(value: number, style: FigureStyle): number {
  if (style === 'integer') return 0;
  if (style === 'tenths') return 1;
  if (style === 'hundredths') return 2;
  const size = Math.abs(value);
  if (size === 0 || size >= 99.95) return 0;
  return size >= 0.995 ? 1 : 2;
}

/** Thousands separators; Intl takes fifty times as long, and this runs per figure per frame. */
function withCommas(digits: string): string {
  const point = digits.indexOf('.');
  const end = point < 0 ? digits.length : point;
  let out = digits.slice(end);
  for (let at = end; at > 0; at -= 3) {
    const group = digits.slice(Math.max(0, at - 3), at);
    out = group + (at < end && group !== '-' ? ',' : '') + out;
  }
  return out;
}

/** A figure with thousands separators; an en dash if undefined. */
export function formatFigure(value: number | undefined, style: FigureStyle): string {
  if (value === undefined || !Number.isFinite(value)) return missing;
  const digits = value.toFixed(decimalsOf(value, style));
  return withCommas(Number(digits) === 0 ? digits.replace('-', '') : digits);
}

/** A count with thousands separators: `1,452`. */
export function formatCount(count: number | undefined): string {
  return formatFigure(count, 'integer');
}

/** A count with its noun: `1 viewer`, `1,000 viewers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1 viewer`, `1,000 viewers`. */
export const formatViewers = (count: number): string => counted(count, 'viewer');

/** `1 viewer`, `12 publishers`. */
export const formatClients = (count: number, clients: 'viewers' | 'publishers' = 'viewers'): string =>
  counted(count, clients === 'viewers' ? 'viewer' : 'publisher');

/** A whole number as it is, any other with about three significant digits: a limit of `80`, a measured `91.2`. */
export function formatRounded(value: number | undefined): string {
  return formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');
}

/** Max one decimal: `80`, `91.2`. */
export function formatTenths(value: number | undefined): string {
  return formatFigure(value, 'tenths').replace(/\.0$/, '');
}

/** From this step on, labels of ticks are thousands or millions: `20k`, `1.5M`. */
const largeStep = 5000;

/**
 * A tick label: as few decimals as the step between ticks needs, so that all ticks of an axis look alike; `k` and `M` on
 * a scale of large numbers.
 */
export function formatTick(value: number, step: number): string {
  if (step >= largeStep && value >= 1000) {
    const [unit, letter] = value >= 1e6 ? [1e6, 'M'] : [1000, 'k'];
    return `${Number((value / unit).toPrecision(6))}${letter}`;
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const needed = Number((step * 10 ** decimals).toFixed(6)) % 1 === 0 ? decimals : decimals + 1;
  return withCommas(value === 0 ? '0' : value.toFixed(needed));
}
