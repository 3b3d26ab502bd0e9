/** Round scales and plain figures; see `lines.mjs` for where these files run. */

const roundTops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];
const second = 1000;
const hour = 3600 * second;
const timeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
];

/** The least round number that is not below the value; its half is round as well. */
export function roundTop(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const top = roundTops.find((each) => each >= value / power - 1e-9) ?? 10;
  return Number((top * power).toPrecision(6));
}

/** The range of a panel's scale: at least what it wishes, and round. */
export function scaleRange(wish, lowest, measured) {
  const { reach } = wish;
  const highest = reach && measured >= reach.from ? Math.max(measured, reach.to) : measured;
  if (wish.fixed) return { low: wish.low, high: wish.high };
  if (wish.low > 0) {
    const steps = [1, 0.75, 0.5, 0.25].map((share) => Math.floor((wish.low * share) / 2) * 2);
    return {
      low: steps.find((step) => step <= lowest) ?? 0,
      high: Math.max(wish.high, Math.ceil(highest / 2) * 2),
    };
  }
  const needed = highest > wish.high ? highest * 1.04 : highest;
  return { low: wish.low, high: Math.max(roundTop(wish.high), roundTop(needed)) };
}

/** Ticks of the time axis at round run times, far enough apart for their labels. */
export function timeTicks(fromMs, toMs, widthPx) {
  const leastMs = ((toMs - fromMs) / widthPx) * (toMs >= hour ? 54 : 40);
  const step = (timeSteps.find((each) => each * second >= leastMs) ?? 86_400) * second;
  const ticks = [];
  for (let at = Math.ceil(fromMs / step) * step; at <= toMs; at += step) ticks.push(at);
  return ticks;
}

const two = (value) => String(value).padStart(2, '0');

/** `1:47`, and `1:02:30` from one hour on. */
export function axisTime(timeMs) {
  const seconds = Math.floor(Math.abs(timeMs) / second);
  const sign = timeMs <= -second ? '−' : '';
  const rest = `${Math.floor(seconds / 60) % 60}:${two(seconds % 60)}`;
  return (
    sign +
    (seconds * second >= hour ? `${Math.floor((seconds * second) / hour)}:${rest.padStart(5, '0')}` : rest)
  );
}

/** A figure with commas between thousands; an en dash when there is none. */
export function figureText(value, style) {
  if (value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const adaptive = size === 0 || size >= 99.95 ? 0 : size >= 0.995 ? 1 : 2;
  const decimals = { integer: 0, tenths: 1, hundredths: 2 }[style] ?? adaptive;
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Ticks of one axis with as many decimals as the step between them needs. */
export function tickText(value, step) {
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const enough = Number((step * 10 ** decimals).toFixed(6)) % 1 === 0 ? decimals : decimals + 1;
  return value.toLocaleString('en', { minimumFractionDigits: enough, maximumFractionDigits: enough });
}
