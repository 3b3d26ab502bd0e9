import type { ComparedChart, Comparison } from '../../domain/compare/comparison';
import type { Alignment } from '../../domain/compare/curves';
import { curveValue, linesOf, placeText } from '../../domain/compare/curveTable';
import { markup, type Markup } from '../report/markup';

/** Size of a picture's plot, with room for the numbers beside it. */
const plot = { left: 40, top: 8, width: 260, height: 140, bottom: 20 } as const;
/** One per letter, so that a page printed in black tells the runs apart. */
const dashes = ['5 3', '', '1.5 2.5', '8 3 1.5 3', '10 4'];

export const chartStyle = `
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));gap:16px}
figure{margin:0;break-inside:avoid}figcaption{font-size:12px}figcaption b{font-weight:600}
svg{width:100%;height:auto}svg text{fill:var(--quiet);font-size:9px}
svg .grid{stroke:var(--line)}svg .limit{stroke:#c2700f;stroke-dasharray:4 3}
svg .run{fill:none;stroke-width:1.5;stroke:var(--text)}svg .r0{stroke:#9a7200}svg .r1{stroke:#2f69cf}svg .r2{stroke:#2aa58c}svg .r3{stroke:#7a1b72}
.key{display:flex;gap:16px;flex-wrap:wrap}.key svg{width:28px}
`;

/** All charts of a comparison as pictures, each run with its own dash. */
export function comparisonCharts(comparison: Comparison, alignment: Alignment): Markup {
  const drawn = comparison.charts.filter((chart) => linesOf(chart, alignment).some(({ x }) => x.length > 1));
  if (drawn.length === 0)
    return markup`<p class="quiet">Nothing was measured that could be drawn on this axis.</p>`;
  const ends = drawn.flatMap((chart) => linesOf(chart, alignment).map(({ x }) => x.at(-1) ?? 0));
  const end = Math.max(1, ...ends);
  const key = comparison.runs.map(
    ({ letter, name }, i) =>
      markup`<span><svg viewBox="0 0 28 8" width="28" height="8"><line class="run r${i}" x1="0" x2="28" y1="4" y2="4" stroke-dasharray="${dashes[i] ?? ''}"/></svg> ${letter} ${name}</span>`,
  );
  return markup`<p class="key">${key}</p><div class="charts">${drawn.map((chart) => picture(chart, alignment, end))}</div>`;
}

function picture(chart: ComparedChart, alignment: Alignment, end: number): Markup {
  const lines = linesOf(chart, alignment);
  const values = lines.flatMap(({ y }) => y).filter((value) => value !== null);
  const top =
    chart.unit === '%' && chart.id === 'cpu' ? 100 : Math.max(chart.limit ?? 0, ...values, 1e-9) * 1.05;
  const x = (place: number): number => plot.left + (plot.width * place) / end;
  const y = (value: number): number => plot.top + plot.height * (1 - value / top);
  const right = plot.left + plot.width;
  const grid = [0, 0.5, 1].map(
    (share) =>
      markup`<line class="grid" x1="${plot.left}" x2="${right}" y1="${y(share * top)}" y2="${y(share * top)}"/><text x="${plot.left - 4}" y="${y(share * top) + 3}" text-anchor="end">${curveValue(share * top)}</text>`,
  );
  const ticks = [0, 0.5, 1].map(
    (share) =>
      markup`<text x="${x(share * end)}" y="${plot.top + plot.height + 14}" text-anchor="middle">${placeText(share * end, alignment)}</text>`,
  );
  const limit =
    chart.limit !== undefined &&
    markup`<line class="limit" x1="${plot.left}" x2="${right}" y1="${y(chart.limit)}" y2="${y(chart.limit)}"/><text x="${plot.left + 3}" y="${y(chart.limit) - 3}">limit ${chart.limit} ${chart.unit}</text>`;
  const runs = lines.map((line, i) => {
    const paths = pathOf(line.x.map(x), line.y, y);
    return markup`<path class="run r${i}" stroke-dasharray="${dashes[i] ?? ''}" d="${paths}"/>`;
  });
  const height = plot.top + plot.height + plot.bottom;
  return markup`<figure><figcaption><b>${chart.title}</b> <span class="quiet">${chart.about}</span></figcaption><svg viewBox="0 0 ${right + 16} ${height}" role="img" aria-label="${chart.title}">${grid}${ticks}${limit}${runs}</svg></figure>`;
}

/** A line that breaks where nothing was measured. */
function pathOf(
  x: readonly number[],
  values: ReadonlyArray<number | null>,
  y: (value: number) => number,
): string {
  let isOpen = false;
  return x
    .map((place, i) => {
      const value = values[i];
      if (value === null || value === undefined) {
        isOpen = false;
        return '';
      }
      const step = `${isOpen ? 'L' : 'M'}${place.toFixed(1)} ${y(value).toFixed(1)}`;
      isOpen = true;
      return step;
    })
    .join('');
}
