import { formatCount, formatFigure, missing } from '../text/numberFormat';
import { md, tableOf } from '../text/escape/markdown';
import { failuresOf, remarksOf, summaryOf, type Spread } from './spread';
import type { DelayRow, DelayTable } from './table';

/** Columns of the figures, in ms. */
export const delayColumns = ['p50', 'p95', 'p99', 'Jitter', 'RTT', 'Pipeline', 'A/V', 'Spread', '±'] as const;

/** What a column means, for people who see it without the documentation. */
export const delayMeanings: Readonly<Record<(typeof delayColumns)[number], string>> = {
  p50: 'half of the frames were displayed within this time',
  p95: '95 % of the frames were displayed within this time',
  p99: '99 % of the frames were displayed within this time',
  Jitter: 'mean difference between the delays of consecutive frames',
  RTT: 'round trip of the connection that carried the picture',
  Pipeline: 'p50 less RTT',
  'A/V': 'by how much the sound was ahead',
  Spread: 'how far the medians of the repeats are from their middle',
  '±': 'half the time within which a frame was displayed',
};

/** Half a range in ms, by which repeats differ from their middle. */
const half = ({ least, most }: Spread): number => (most - least) / 2;

/** Cells of `delayColumns`. `Spread`: how far the medians of the repeats are from their middle. */
export function delayCells(row: DelayRow): readonly string[] {
  const summary = summaryOf(row);
  if (!summary) return delayColumns.map(() => missing);
  const { p50, p95, p99, jitterMs, rttMs, pipelineMs, avOffsetMs, measured, uncertaintyMs } = summary;
  return [
    formatCount(p50.value),
    formatCount(p95.value),
    formatCount(p99.value),
    formatFigure(jitterMs.value, 'tenths'),
    formatFigure(rttMs?.value, 'tenths'),
    formatCount(pipelineMs?.value),
    formatCount(avOffsetMs?.value),
    measured > 1 ? formatFigure(half(p50), 'tenths') : missing,
    formatCount(uncertaintyMs),
  ];
}

/** What is to be known of a path beside its figures: remarks, and why repeats failed. */
export function delayRemark(row: DelayRow): string {
  const failures = failuresOf(row);
  const failed = row.repeats.filter((repeat) => 'failed' in repeat).length;
  const share = failed > 0 && failed < row.repeats.length ? [`${failed} of ${row.repeats.length} repeats failed`] : [];
  const none = row.repeats.length === 0 ? ['not measured'] : [];
  return [...remarksOf(row), ...share, ...failures, ...none].join(' · ');
}

/** One line: what was measured, and how. */
export function delaySentence({ node, software, measuredMs, rows, decoder, isCancelled, problem }: DelayTable): string {
  const repeats = Math.max(...rows.map((row) => row.repeats.length));
  const of = software === undefined || software === '' ? node : `${node} (${software})`;
  const early = isCancelled ? '; cancelled before all was measured' : '';
  const ended = problem === undefined ? '' : ` It ended early: ${problem}`;
  return `Glass-to-glass delay of ${of} in ms, from drawing a test pattern to displaying it, by the clock in each frame: ${
    repeats === 1 ? 'measured once' : `${repeats} repeats`
  } of ${measuredMs / 1000} s per path, played by ${decoder}${early}.${ended}`;
}

/** What the columns mean that are not usual. */
export const delayLegend = `${(['RTT', 'Pipeline', 'A/V', 'Spread', '±'] as const)
  .map((column) => `${column}: ${delayMeanings[column]}`)
  .join('. ')}.`;

/** The table as Markdown, for a ticket or a page of documentation. */
export function delayMarkdown(table: DelayTable): string {
  const rows = table.rows.map((row, index) => [
    `${index + 1}`,
    md(row.path.title),
    ...delayCells(row),
    md(delayRemark(row)),
  ]);
  const alignments = ['---:', '---', ...delayColumns.map(() => '---:'), '---'];
  return [
    md(delaySentence(table)),
    '',
    tableOf(['#', 'Path', ...delayColumns, 'Remark'], rows, alignments),
    '',
    delayLegend,
    '',
  ].join('\n');
}

/** The table as lines of a terminal. */
export function delayLines({ rows }: DelayTable): readonly string[] {
  return alignedLines([
    ['Path', ...delayColumns, 'Remark'],
    ...rows.map((row) => [row.path.title, ...delayCells(row), delayRemark(row)]),
  ]);
}

/** Rows of a terminal: the first and the last column to the left, figures to the right. */
export function alignedLines(cells: ReadonlyArray<readonly string[]>): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  return cells.map((line) =>
    line
      .map((text, column) => {
        const width = widths[column] ?? 0;
        if (column === line.length - 1) return text;
        return column === 0 ? text.padEnd(width) : text.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
