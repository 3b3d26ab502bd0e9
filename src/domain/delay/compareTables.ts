import { md, tableOf } from '../text/escape/markdown';
import { counted, formatCount, missing } from '../text/numberFormat';
import { pipelineMs, type DelayFigures } from './figures';
import { changeOf, type DelayChange } from './noise';
import { failuresOf, measuredOf, spreadOf, type Spread } from './spread';
import type { DelayRow, DelayTable } from './table';
import { alignedLines } from './tableText';

/** The compared figures of a path. */
export const comparedFigures = ['p50', 'p95', 'p99', 'pipeline'] as const;
export type ComparedFigure = (typeof comparedFigures)[number];

export const comparedTitles: Readonly<Record<ComparedFigure, string>> = {
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
  pipeline: 'Pipeline',
};

/** A figure of one path in two tables, in ms. */
export interface FigureDifference {
  readonly before: Spread;
  readonly after: Spread;
  /** Of the medians. */
  readonly differenceMs: number;
  readonly change: DelayChange;
}

/** A path that is in both tables. */
export interface PathDifference {
  readonly id: string;
  readonly title: string;
  /** How many repeats were measured. */
  readonly repeats: { readonly before: number; readonly after: number };
  /** Empty if a side was not measured; a pipeline only where both have a round trip. */
  readonly figures: Readonly<Partial<Record<ComparedFigure, FigureDifference>>>;
  /** `mixed`: a figure is lower and another one higher. */
  readonly change: DelayChange | 'mixed' | 'not measured';
  /** What changed, without the title. */
  readonly result: string;
  /** One sentence. */
  readonly sentence: string;
}

export interface DelayComparison {
  readonly before: DelayTable;
  readonly after: DelayTable;
  readonly rows: readonly PathDifference[];
  /** Titles of paths that only one table has. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Why differences may have another cause than a change of the server. */
  readonly warnings: readonly string[];
  /** What else differs, and may be what is compared. */
  readonly notes: readonly string[];
  /** The whole in one sentence. */
  readonly sentence: string;
}

const figureOf: Readonly<Record<ComparedFigure, (figures: DelayFigures) => number | undefined>> = {
  p50: ({ p50Ms }) => p50Ms,
  p95: ({ p95Ms }) => p95Ms,
  p99: ({ p99Ms }) => p99Ms,
  pipeline: pipelineMs,
};

/** Compares two tables, path by path of the same id. What is beyond the noise: see `changeOf`. */
export function compareDelays(before: DelayTable, after: DelayTable): DelayComparison {
  const pairs = before.rows.flatMap((row) => {
    const other = after.rows.find(({ path }) => path.id === row.path.id);
    return other ? [{ row, other }] : [];
  });
  const rows = pairs.map(({ row, other }) => differenceOf(row, other));
  return {
    ...{ before, after, rows },
    onlyBefore: titlesOf(before, after),
    onlyAfter: titlesOf(after, before),
    warnings: warningsOf(before, after, pairs),
    notes: notesOf(before, after),
    sentence: wholeOf(rows),
  };
}

const titlesOf = ({ rows }: DelayTable, other: DelayTable): readonly string[] =>
  rows.filter(({ path }) => !other.rows.some((each) => each.path.id === path.id)).map(({ path }) => path.title);

function differenceOf(before: DelayRow, after: DelayRow): PathDifference {
  const [left, right] = [measuredOf(before), measuredOf(after)];
  const figures = Object.fromEntries(
    comparedFigures.flatMap((name) => {
      const difference = figureDifference(name, left, right);
      return difference ? [[name, difference]] : [];
    }),
  ) as PathDifference['figures'];
  const { id, title } = before.path;
  const repeats = { before: left.length, after: right.length };
  const change = changeOfPath(figures);
  const result = change === 'not measured' ? whyNot(before, after) : resultOf(figures, change, repeats);
  return { ...{ id, title, repeats, figures, change, result }, sentence: ended(`${title}: ${result}`) };
}

function figureDifference(
  name: ComparedFigure,
  before: readonly DelayFigures[],
  after: readonly DelayFigures[],
): FigureDifference | undefined {
  const [left, right] = [before, after].map((all) => {
    const values = all.flatMap((figures) => figureOf[name](figures) ?? []);
    const spread = spreadOf(values);
    return spread && { values, spread, uncertaintyMs: Math.max(...all.map(({ uncertaintyMs }) => uncertaintyMs)) };
  });
  if (!left || !right) return undefined;
  return {
    ...{ before: left.spread, after: right.spread },
    differenceMs: right.spread.value - left.spread.value,
    change: changeOf(left, right),
  };
}

function changeOfPath(figures: PathDifference['figures']): PathDifference['change'] {
  const all = Object.values(figures).map(({ change }) => change);
  if (all.length === 0) return 'not measured';
  if (all.includes('lower')) return all.includes('higher') ? 'mixed' : 'lower';
  if (all.includes('higher')) return 'higher';
  return all.includes('unknown') ? 'unknown' : 'unchanged';
}

function whyNot(before: DelayRow, after: DelayRow): string {
  const sides = [
    { row: before, when: 'before' },
    { row: after, when: 'after' },
  ].filter(({ row }) => measuredOf(row).length === 0);
  const texts = sides.map(({ row, when }) => ({ when, why: failuresOf(row)[0] ?? '' }));
  const isSame = texts.every(({ why }) => why === texts[0]?.why);
  const merged = isSame ? [{ when: texts.map(({ when }) => when).join(' and '), why: texts[0]?.why ?? '' }] : texts;
  return merged.map(({ when, why }) => `not measured ${when}${why === '' ? '' : `: ${why}`}`).join(' · ');
}

/** `p50 unchanged, p95 -37 ms, 4 repeats`: p50 and p95 always, the others if they changed. */
function resultOf(
  figures: PathDifference['figures'],
  change: PathDifference['change'],
  { before, after }: PathDifference['repeats'],
): string {
  const repeats =
    before === after ? (before === 1 ? 'measured once each' : `${before} repeats`) : `${before} and ${after} repeats`;
  const isSingle = Math.min(before, after) === 1;
  const times = isSingle ? `${repeats}, so that the noise is unknown` : repeats;
  if (change === 'unchanged' || change === 'unknown') return `${wordOf(change)}, ${times}`;
  const parts = comparedFigures.flatMap((name) => {
    const figure = figures[name];
    if (!figure) return [];
    const isChanged = figure.change === 'lower' || figure.change === 'higher';
    if (!isChanged && name !== 'p50' && name !== 'p95') return [];
    const text = isChanged ? `${differenceText(figure.differenceMs)} ms` : wordOf(figure.change);
    return [`${name} ${text}`];
  });
  return [...parts, times].join(', ');
}

const wordOf = (change: DelayChange): string => (change === 'unknown' ? 'no clear change' : 'unchanged');

/** `-37`, `+1,200`, `0`, in whole ms. */
export const differenceText = (ms: number): string => `${Math.round(ms) > 0 ? '+' : ''}${formatCount(ms)}`;

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function wholeOf(rows: readonly PathDifference[]): string {
  if (rows.length === 0) return 'The tables have no path in common.';
  const count = (change: PathDifference['change'], words: string): readonly string[] => {
    const found = rows.filter((row) => row.change === change).length;
    return found > 0 ? [`${formatCount(found)} ${words}`] : [];
  };
  const parts = [
    ...count('lower', 'lower'),
    ...count('higher', 'higher'),
    ...count('mixed', 'lower in one figure and higher in another'),
    ...count('unchanged', 'unchanged'),
    ...count('unknown', 'without a clear change'),
    ...count('not measured', 'not measured in one or both tables'),
  ];
  return `Delay of ${counted(rows.length, 'path')}: ${parts.join(', ')}.`;
}

function warningsOf(
  before: DelayTable,
  after: DelayTable,
  pairs: ReadonlyArray<{ readonly row: DelayRow; readonly other: DelayRow }>,
): readonly string[] {
  const warnings: string[] = [];
  if (before.id === after.id) warnings.push('Both are the same table.');
  if (before.decoder !== after.decoder)
    warnings.push(
      `Played by ${before.decoder} before and by ${after.decoder} after: a difference may be that of the decoders.`,
    );
  if (before.measuredMs !== after.measuredMs)
    warnings.push(
      `Measured for ${before.measuredMs / 1000} s per path before and for ${after.measuredMs / 1000} s after: p99 depends on it.`,
    );
  const isLoaded = pairs.some(({ row }) => row.path.isUnderLoad);
  if (isLoaded && before.load !== after.load)
    warnings.push(
      `Under load: ${before.load ?? 'nothing known'} before, ${after.load ?? 'nothing known'} after: these paths are not comparable.`,
    );
  const other = pairs.filter(
    ({ row: { path: a }, other: { path: b } }) =>
      (['publish', 'play', 'hasShortBuffer'] as const).some((name) => a[name] !== b[name]) ||
      JSON.stringify(a.media) !== JSON.stringify(b.media),
  );
  if (other.length > 0)
    warnings.push(
      `Sent or played differently before and after: ${other.map(({ row }) => row.path.title).join(' · ')}.`,
    );
  for (const [{ isCancelled, problem }, when] of [[before, 'before'] as const, [after, 'after'] as const])
    if (isCancelled || problem !== undefined)
      warnings.push(`The test ${when} ${isCancelled ? 'was cancelled' : 'ended early'}: paths have fewer repeats.`);
  return warnings;
}

function notesOf(before: DelayTable, after: DelayTable): readonly string[] {
  const notes: string[] = [];
  if (before.node !== after.node) notes.push(`Server: ${before.node} before, ${after.node} after.`);
  if (before.software !== after.software)
    notes.push(`Software: ${before.software ?? 'unknown'} before, ${after.software ?? 'unknown'} after.`);
  return notes;
}

const head = ['Path', ...comparedFigures.map((name) => comparedTitles[name]), 'Result'] as const;

/** `56 → 54`, in ms. */
const cellOf = (figure: FigureDifference | undefined): string =>
  figure ? `${formatCount(figure.before.value)} → ${formatCount(figure.after.value)}` : missing;

const cellsOf = ({ title, figures, result }: PathDifference): readonly string[] => [
  title,
  ...comparedFigures.map((name) => cellOf(figures[name])),
  result,
];

/** What is beside the table of a comparison, a line each. */
export function comparisonRemarks({
  warnings,
  notes,
  onlyBefore,
  onlyAfter,
}: Pick<DelayComparison, 'warnings' | 'notes' | 'onlyBefore' | 'onlyAfter'>): readonly string[] {
  return [
    ...warnings.map((warning) => `Not quite comparable: ${warning}`),
    ...notes,
    ...(onlyBefore.length > 0 ? [`Only before: ${onlyBefore.join(' · ')}.`] : []),
    ...(onlyAfter.length > 0 ? [`Only after: ${onlyAfter.join(' · ')}.`] : []),
  ];
}

/** What counts as unchanged, for people who see a comparison without its documentation. */
export const noiseLegend =
  'Medians of the repeats in ms, before → after. Unchanged: within the spread of the repeats and the uncertainty (±) of both tables.';

/** The comparison as Markdown, for a ticket or a change log. */
export function comparisonMarkdown(comparison: DelayComparison): string {
  const { before, after, rows, sentence } = comparison;
  const alignments = ['---', ...comparedFigures.map(() => '---:'), '---'];
  return [
    `**${md(before.name)}** (before) and **${md(after.name)}** (after). ${sentence}`,
    '',
    ...comparisonRemarks(comparison).flatMap((line) => [`- ${md(line)}`]),
    ...(comparisonRemarks(comparison).length > 0 ? [''] : []),
    tableOf(
      head,
      rows.map((row) => cellsOf(row).map((cell) => md(cell))),
      alignments,
    ),
    '',
    noiseLegend,
    '',
  ].join('\n');
}

/** The comparison as lines of a terminal; the last one is the sentence of the whole. */
export function comparisonLines(comparison: DelayComparison): readonly string[] {
  return [
    `${comparison.before.name} → ${comparison.after.name}, in ms`,
    '',
    ...alignedLines([head, ...comparison.rows.map(cellsOf)]),
    ...comparisonRemarks(comparison),
    comparison.sentence,
  ];
}
