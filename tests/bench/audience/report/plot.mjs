const width = 720;
const height = 340;
const lineHeight = 15;
const area = { left: 56, right: 110, top: 44, bottom: 48 };

/** The product's colours for figures, for dark pages and for light ones. */
const colours = {
  dark: { text: '#e9ecf0', quiet: '#a9b1bc', line: '#353d47', ours: '#f7c23c', floor: '#6faef2' },
  light: { text: '#14181d', quiet: '#48515c', line: '#c3c9d2', ours: '#9a7200', floor: '#2f69cf' },
};

/** A round number at or above `value`: 1, 2 or 5 times a power of ten per step, about five steps. */
export function axisOf(value) {
  const rough = Math.max(value, 1e-9) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough - 1e-12);
  const steps = Math.ceil(value / step - 1e-9);
  return { step, most: step * Math.max(steps, 1) };
}

/** The `d` of a line through points of pixels. */
export function linePath(points) {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${pixel(x)} ${pixel(y)}`).join(' ');
}

/**
 * How CPU grows with viewers, as SVG text for dark and light pages.
 * @param {{ name: string, kind: 'ours' | 'floor', points: { viewers: number, cpuPercent: { median: number, least: number, most: number } }[] }[]} series
 */
export function growthPlot(series) {
  const all = series.flatMap(({ points }) => points);
  const most = axisOf(Math.max(...all.map(({ cpuPercent }) => cpuPercent.most)));
  const maxViewers = Math.max(...all.map(({ viewers }) => viewers));
  const x = (viewers) => area.left + (viewers / maxViewers) * (width - area.left - area.right);
  const y = (percent) => height - area.bottom - (percent / most.most) * (height - area.top - area.bottom);
  const counts = [...new Set(all.map(({ viewers }) => viewers))].sort((a, b) => a - b);
  const steps = Array.from({ length: Math.round(most.most / most.step) + 1 }, (_, index) => index * most.step);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="CPU by number of viewers">`,
    `<style>${style()}</style>`,
    `<text class="title" x="${area.left}" y="22">CPU of the audience by number of viewers, % of one core</text>`,
    ...steps.map((step) => {
      const at = pixel(y(step));
      return `<path class="grid" d="M${area.left} ${at}H${width - area.right}"/><text class="tick" x="${area.left - 8}" y="${pixel(y(step) + 4)}" text-anchor="end">${number(step)}</text>`;
    }),
    ...counts.map(
      (count) =>
        `<text class="tick" x="${pixel(x(count))}" y="${height - area.bottom + 20}" text-anchor="middle">${count.toLocaleString('en-US')}</text>`,
    ),
    `<text class="tick" x="${pixel((area.left + width - area.right) / 2)}" y="${height - 8}" text-anchor="middle">viewers, 60 packets/s each, from a minimal sender</text>`,
    ...series.flatMap(({ kind, points }) => drawn(kind, points, x, y)),
    ...named(series, x, y),
    '</svg>',
    '',
  ].join('\n');
}

function drawn(kind, points, x, y) {
  const place = ({ viewers, cpuPercent }) => [x(viewers), y(cpuPercent.median)];
  return [
    `<path class="line ${kind}" d="${linePath(points.map(place))}"/>`,
    ...points.map(({ viewers, cpuPercent: { least, most } }) => {
      return `<path class="range ${kind}" d="M${pixel(x(viewers))} ${pixel(y(least))}V${pixel(y(most))}"/>`;
    }),
    ...points.map((point) => {
      const [cx, cy] = place(point);
      return `<circle class="${kind}" cx="${pixel(cx)}" cy="${pixel(cy)}" r="3.5"/>`;
    }),
  ];
}

/** Each line's name and last figure at its end; overlapping labels move down. */
function named(series, x, y) {
  let lowest = Number.NEGATIVE_INFINITY;
  return series
    .map(({ name, kind, points }) => ({ name, kind, last: points.at(-1) }))
    .sort((a, b) => b.last.cpuPercent.median - a.last.cpuPercent.median)
    .map(({ name, kind, last }) => {
      lowest = Math.max(y(last.cpuPercent.median) + 4, lowest + lineHeight);
      return `<text class="name ${kind}" x="${pixel(x(last.viewers) + 10)}" y="${pixel(lowest)}">${name} ${number(last.cpuPercent.median)} %</text>`;
    });
}

function style() {
  const themed = ({ text, quiet, line, ours, floor }) =>
    `.title{fill:${text}}.tick{fill:${quiet}}.grid{stroke:${line}}` +
    `.line.ours,.range.ours{stroke:${ours}}circle.ours,.name.ours{fill:${ours}}` +
    `.line.floor,.range.floor{stroke:${floor}}circle.floor,.name.floor{fill:${floor}}`;
  return (
    'text{font:12px Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}.title{font-size:14px;font-weight:600}' +
    '.grid{stroke-width:1}.line{fill:none;stroke-width:2}.range{stroke-width:1}.line.floor{stroke-dasharray:5 4}' +
    `${themed(colours.light)}@media(prefers-color-scheme:dark){${themed(colours.dark)}}`
  );
}

const pixel = (value) => Number(value.toFixed(1));
const number = (value) => String(Number(value.toFixed(value >= 10 ? 0 : 1)));
