import type { ComparedChart, Comparison } from '../../domain/compare/comparison';
import type { Alignment } from '../../domain/compare/curves';
import { linePath, SvgPen, tenths } from '../../domain/charts/drawing/paths';
import { dashes, lineWidths } from '../../domain/charts/drawing/strokes';
import { pixelMapOf } from '../../domain/charts/drawing/pixelMap';
import { scaleTicks } from '../../domain/charts/drawing/scales';
import { axisEnd, axisTicks, linesOf, pointsOf, runDash, valueRange } from '../../domain/compare/compareScales';
import { placeText } from '../../domain/compare/curveTable';
import { formatTick } from '../../domain/text/numberFormat';
import { markup, type Markup } from '../report/markup';

/** Size of a chart's plot area, with space for the axis labels. */
const plot = { left: 40, top: 8, width: 260, height: 140, bottom: 20 } as const;

export const chartStyle = `
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));gap:16px}
figure{margin:0;break-inside:avoid}figcaption{font-size:12px}figcaption b{font-weight:600}
svg{width:100%;height:auto}svg text{fill:var(--text-muted);font-size:9px}
svg .grid{stroke:var(--line)}svg .limit{stroke:var(--warning);stroke-dasharray:${dashes.limit.join(' ')}}
svg .run{fill:none;stroke-width:${lineWidths.plain};stroke:var(--text)}svg .r0{stroke:var(--series-1)}svg .r1{stroke:var(--series-2)}svg .r2{stroke:var(--series-3)}svg .r3{stroke:var(--series-4)}
.key{display:flex;gap:16px;flex-wrap:wrap}.key svg{width:28px}
`;

/** All charts of a comparison as images, each run with its own dash pattern. */
export function comparisonCharts(comparison: Comparison, alignment: Alignment): Markup {
  // A single point is no line.
  const drawn = comparison.charts.filter((chart) => linesOf(chart, alignment).some(({ x }) => x.length > 1));
  if (drawn.length === 0) return markup`<p class="quiet">No data for this axis.</p>`;
  const end = axisEnd(drawn, alignment);
  const key = comparison.runs.map(
    ({ letter, name }, i) =>
      markup`<span><svg viewBox="0 0 28 8" width="28" height="8"><line class="run r${i}" x1="0" x2="28" y1="4" y2="4" stroke-dasharray="${runDash(i).join(' ')}"/></svg> ${letter} ${name}</span>`,
  );
  return markup`<p class="key">${key}</p><div class="charts">${drawn.map((chart) => picture(chart, alignment, end))}</div>`;
}

function picture(chart: ComparedChart, alignment: Alignment, end: number): Markup {
  const lines = linesOf(chart, alignment);
  const { low, high } = valueRange(chart, lines);
  const right = plot.left + plot.width;
  const bottom = plot.top + plot.height;
  const map = pixelMapOf({ left: plot.left, right, top: plot.top, bottom, fromMs: 0, toMs: end, low, high });
  const x = (place: number): number => tenths(map.x0 + place * map.xPerMs);
  const y = (value: number): number => tenths(map.y0 + value * map.yPerUnit);
  const grid = scaleTicks({ low, high }, false).map(
    (tick) =>
      markup`<line class="grid" x1="${plot.left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${plot.left - 4}" y="${y(tick) + 3}" text-anchor="end">${formatTick(tick, (high - low) / 2)}</text>`,
  );
  const ticks = axisTicks(end, alignment, plot.width).map(
    (tick) => markup`<text x="${x(tick)}" y="${bottom + 14}" text-anchor="middle">${placeText(tick, alignment)}</text>`,
  );
  const limit =
    chart.limit !== undefined &&
    markup`<line class="limit" x1="${plot.left}" x2="${right}" y1="${y(chart.limit)}" y2="${y(chart.limit)}"/><text x="${plot.left + 3}" y="${y(chart.limit) - 3}">limit ${chart.limit} ${chart.unit}</text>`;
  const runs = lines.map((line, i) => {
    const pen = new SvgPen();
    linePath(pen, pointsOf(line), map);
    return markup`<path class="run r${i}" stroke-dasharray="${runDash(i).join(' ')}" d="${pen.d}"/>`;
  });
  const height = bottom + plot.bottom;
  return markup`<figure><figcaption><b>${chart.title}</b> <span class="quiet">${chart.about}</span></figcaption><svg viewBox="0 0 ${right + 16} ${height}" role="img" aria-label="${chart.title}">${grid}${ticks}${limit}${runs}</svg></figure>`;
}
