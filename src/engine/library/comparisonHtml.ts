import { linePath, SvgPen, tenths } from '../../domain/charts/drawing/paths';
import { pixelMapOf } from '../../domain/charts/drawing/pixelMap';
import { scaleTicks, stepOf } from '../../domain/charts/drawing/scales';
import { dashes, lineWidths } from '../../domain/charts/drawing/strokes';
import { axisEnd, axisTicks, linesOf, pointsOf, runDash, valueRange } from '../../domain/compare/compareScales';
import type { ComparedChart, ComparedFigure, Comparison } from '../../domain/compare/comparison';
import { placeText } from '../../domain/compare/curveTable';
import { differenceText, differsSentence, meaningOf, valueText } from '../../domain/compare/texts';
import type { Alignment } from '../../domain/compare/curves';
import { formatTick } from '../../domain/text/numberFormat';
import { formatDate } from '../../domain/text/timeFormat';
import { Markup, markup } from '../report/markup';
import { pagePalette } from '../report/palette';
import { verdictText } from '../../domain/run/verdictText';

const style = `
body{max-width:960px;margin:32px auto;padding:0 24px;background:var(--surface);color:var(--text);font:14px/20px Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:20px;line-height:28px}h2{margin-top:32px;font-size:14px}
.quiet{color:var(--text-muted)}.lead{font-size:16px;line-height:24px}
table{width:100%;border-collapse:collapse}th,td{padding:4px 8px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{padding-left:0;text-align:left}th{color:var(--text-muted);font-weight:400}
.better{color:var(--success)}.worse{color:var(--danger)}.within-noise,.unknown{color:var(--text-muted)}
@media print{body{margin:0;max-width:none}}
`;

const marks = { better: 'better', worse: 'worse', 'within-noise': 'noise', other: '', unknown: '' } as const;

/** The comparison as one HTML page that loads nothing from the network and can be printed. */
export function comparisonHtml(comparison: Comparison, alignment: Alignment): string {
  const { runs, figures, reference } = comparison;
  const base = runs[reference]?.letter ?? '';
  const tableOf = (group: ComparedFigure['group']): Markup => {
    const rows = figures.filter((figure) => figure.group === group);
    const heads = runs.flatMap(({ letter }, i) => (i === reference ? [] : [markup`<th>${letter} − ${base}</th>`]));
    return markup`<table><thead><tr><th>Figure</th>${runs.map(({ letter }) => markup`<th>${letter}</th>`)}${heads}</tr></thead><tbody>${rows.map(
      (figure) =>
        markup`<tr><td>${figure.title}</td>${figure.cells.map((cell) => markup`<td>${valueText(figure, cell)}</td>`)}${figure.cells.map(
          (cell, i) => (i === reference ? undefined : differenceCell(figure, cell)),
        )}</tr>`,
    )}</tbody></table>`;
  };
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comparison of ${runs.length} runs</title>
<style>${new Markup(pagePalette + style + chartStyle)}</style>
</head>
<body>
<h1>Comparison of ${runs.length} runs</h1>
<p class="lead">${comparison.sentence}</p>
<table><thead><tr><th>Run</th><th>Origin</th><th>Started, UTC</th><th>Verdict</th></tr></thead><tbody>${runs.map(
    (run) =>
      markup`<tr><td><b>${run.letter}</b> ${run.name}${run.isBaseline && ' (baseline)'}</td><td>${run.origin}</td><td>${formatDate(run.startedMs, 'utc')}</td><td>${run.verdict === undefined ? '' : verdictText(run.verdict).toUpperCase()}</td></tr>`,
  )}</tbody></table>
<h2>Figures</h2>
${tableOf('main')}
<p class="quiet">${differsSentence(comparison)} ${comparison.noise}</p>
${comparison.remarks.map((remark) => markup`<p>${remark}</p>`)}
<h2>Charts, aligned on ${alignment === 'viewers' ? 'viewers connected' : 'run time'}</h2>
${comparisonCharts(comparison, alignment)}
<h2>Percentiles over the run</h2>
${tableOf('percentiles')}
</body>
</html>
`.html;
}

function differenceCell(figure: ComparedFigure, cell: ComparedFigure['cells'][number]): Markup {
  if (cell.difference === undefined) return markup`<td>–</td>`;
  const meaning = meaningOf(figure, cell);
  const word = marks[meaning];
  return markup`<td class="${meaning}">${differenceText(figure, cell.difference)}${word && markup` <small>${word}</small>`}</td>`;
}

/** Size of a chart's plot area, with space for the axis labels. */
const plot = { left: 40, top: 8, width: 260, height: 140, bottom: 20 } as const;

const chartStyle = `
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));gap:16px}
figure{margin:0;break-inside:avoid}figcaption{font-size:12px}figcaption b{font-weight:600}
svg{width:100%;height:auto}svg text{fill:var(--text-muted);font-size:9px}
svg .grid{stroke:var(--line)}svg .limit{stroke:var(--warning);stroke-dasharray:${dashes.limit.join(' ')}}
svg .run{fill:none;stroke-width:${lineWidths.plain};stroke:var(--text)}svg .r0{stroke:var(--series-1)}svg .r1{stroke:var(--series-2)}svg .r2{stroke:var(--series-3)}svg .r3{stroke:var(--series-4)}svg .r4{stroke:var(--series-5)}
.key{display:flex;gap:16px;flex-wrap:wrap}.key svg{width:28px}
`;

/** All charts of a comparison as images, each run with its own dash pattern. */
function comparisonCharts(comparison: Comparison, alignment: Alignment): Markup {
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
  const values = scaleTicks({ low, high }, false, plot.height);
  const grid = values.map(
    (tick) =>
      markup`<line class="grid" x1="${plot.left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${plot.left - 4}" y="${y(tick) + 3}" text-anchor="end">${formatTick(tick, stepOf(values))}</text>`,
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
