import type { ComparedFigure, Comparison } from '../../domain/compare/comparison';
import { differenceText, differsSentence, meaningOf, valueText } from '../../domain/compare/texts';
import type { Alignment } from '../../domain/compare/curves';
import { formatDate } from '../../domain/text/timeFormat';
import { Markup, markup } from '../report/markup';
import { pagePalette } from '../report/palette';
import { chartStyle, comparisonCharts } from './comparisonCharts';

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
      markup`<tr><td><b>${run.letter}</b> ${run.name}${run.isBaseline && ' (baseline)'}</td><td>${run.origin}</td><td>${formatDate(run.startedMs, 'utc')}</td><td>${(run.verdict ?? '').toUpperCase()}</td></tr>`,
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
