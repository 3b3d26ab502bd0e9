import { formatFigure, missing } from '../text/numberFormat';
import { formatDate } from '../text/timeFormat';
import { csvCell } from '../text/escape/csv';
import { md, tableOf } from '../text/escape/markdown';
import type { ComparedCell, ComparedFigure, Comparison } from './comparison';
import type { Alignment } from './curves';
import { linesOf } from './compareScales';
import { curveTables, curveValue, placeText } from './curveTable';

/** Value of a cell with its unit. `isPlain`: for exports, without thousands separators. */
export function valueText({ decimals, unit }: ComparedFigure, { value }: ComparedCell): string {
  if (value === undefined) return missing;
  return `${formatFigure(value, decimals === 0 ? 'integer' : 'tenths')}${unit ? ` ${unit}` : ''}`;
}

/** A difference with its sign, `+736` or `−5.3`; a plain 0 without one. */
export function differenceText({ decimals }: ComparedFigure, difference: number): string {
  const size = formatFigure(Math.abs(difference), decimals === 0 ? 'integer' : 'tenths');
  if (Number(size.replaceAll(',', '')) === 0) return '0';
  return `${difference > 0 ? '+' : '−'}${size}`;
}

/** What a difference means. */
export type Meaning = 'better' | 'worse' | 'within-noise' | 'other' | 'unknown';

export function meaningOf({ better }: ComparedFigure, { difference, isBeyondNoise }: ComparedCell): Meaning {
  if (difference === undefined || isBeyondNoise === undefined) return 'unknown';
  if (!isBeyondNoise) return 'within-noise';
  if (better === 'neither') return 'other';
  return difference > 0 === (better === 'more') ? 'better' : 'worse';
}

const words: Readonly<Record<Meaning, string>> = {
  better: 'better',
  worse: 'worse',
  'within-noise': 'within noise',
  other: 'beyond noise',
  unknown: 'noise unknown',
};

function day(timeMs: number): string {
  return formatDate(timeMs, 'utc');
}

/** The comparison as a Markdown document. */
export function comparisonMarkdown(comparison: Comparison, alignment: Alignment): string {
  const { runs, figures, reference } = comparison;
  const base = runs[reference];
  const head = ['Figure', ...runs.map(({ letter }) => letter)];
  const others = runs.filter((_, i) => i !== reference);
  const tableOfGroup = (group: ComparedFigure['group']): string =>
    tableOf(
      [...head, ...others.map(({ letter }) => `${letter} − ${base?.letter ?? ''}`)],
      figures
        .filter((figure) => figure.group === group)
        .map((figure) => [
          md(figure.title),
          ...figure.cells.map((cell) => valueText(figure, cell)),
          ...figure.cells.flatMap((cell, i) => (i === reference ? [] : [differenceCell(figure, cell)])),
        ]),
      ['---', ...runs.map(() => '---:'), ...others.map(() => '---:')],
    );
  return [
    `# Comparison: ${runs.map(({ letter, name }) => `${letter} ${md(name)}`).join(', ')}`,
    '',
    md(comparison.sentence),
    '',
    ...runs.map(
      ({ letter, name, origin, startedMs, verdict, isBaseline, id }) =>
        `- **${letter}** ${md(name)}: ${md(origin)}, ${day(startedMs)}, ${verdict ?? 'no verdict'}${isBaseline ? ', baseline' : ''} (${md(id)})`,
    ),
    '',
    tableOfGroup('main'),
    '',
    ...[differsSentence(comparison), comparison.noise, ...comparison.remarks].map(md),
    '',
    '## Percentiles over the run',
    '',
    tableOfGroup('percentiles'),
    '',
    ...curveMarkdown(comparison, alignment),
  ].join('\n');
}

function curveMarkdown(comparison: Comparison, alignment: Alignment): string[] {
  const { runs } = comparison;
  return curveTables(comparison, alignment).flatMap(({ title, about, rows }) => [
    `## ${md(title)}, ${md(about)}`,
    '',
    tableOf(
      [alignment === 'viewers' ? 'Viewers' : 'Run time', ...runs.map(({ letter }) => letter)],
      rows.map(({ place, values }) => [placeText(place, alignment), ...values.map(curveValue)]),
      ['---:', ...runs.map(() => '---:')],
    ),
    '',
  ]);
}

function differenceCell(figure: ComparedFigure, cell: ComparedCell): string {
  if (cell.difference === undefined) return missing;
  return `${differenceText(figure, cell.difference)} (${words[meaningOf(figure, cell)]})`;
}

export function differsSentence({ differs }: Comparison): string {
  return differs.length > 0 ? `Differs: ${differs.join(', ')}.` : 'Same plan, nodes and versions.';
}

/**
 * The comparison as CSV: plain numbers, one row per figure, and after an empty line one row per point of the charts.
 */
export function comparisonCsv(comparison: Comparison, alignment: Alignment): string {
  const { runs, figures, reference, charts } = comparison;
  const others = runs.filter((_, i) => i !== reference);
  const base = runs[reference]?.letter ?? '';
  const head = [
    'figure',
    'unit',
    ...runs.map(({ letter, name, id }) => `${letter} ${name} (${id})`),
    ...others.flatMap(({ letter }) => [`${letter} - ${base}`, `${letter} against ${base}`]),
    'noise',
  ];
  const number = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : Number(value.toFixed(3));
  const rows = figures.map((figure) => [
    figure.title,
    figure.unit,
    ...figure.cells.map(({ value }) => number(value)),
    ...figure.cells.flatMap((cell, i) =>
      i === reference
        ? []
        : [number(cell.difference), cell.difference === undefined ? '' : words[meaningOf(figure, cell)]],
    ),
    number(figure.noise),
  ]);
  const place = alignment === 'viewers' ? 'viewers' : 'run time s';
  const points = charts.flatMap((chart) =>
    linesOf(chart, alignment).flatMap(({ x, y }, i) =>
      x.map((at, k) => [
        chart.title,
        chart.unit,
        runs[i]?.letter ?? '',
        number(alignment === 'viewers' ? at : at / 1000),
        number(y[k] ?? undefined),
      ]),
    ),
  );
  const lines = [head, ...rows, [], ['chart', 'unit', 'run', place, 'value'], ...points];
  return lines.map((row) => row.map(csvCell).join(',')).join('\n') + '\n';
}
