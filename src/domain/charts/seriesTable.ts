import { z } from 'zod';
import { isAudienceId } from '../model/audience';
import type { NodeView } from '../model/node';
import type { LineSubject } from './chartTraces';
import { immutable, seriesId } from '../model/schema';
import { percentile } from '../series/percentile';
import { seriesDefinition, seriesDefinitions } from '../series/series';

const sampleFigures = z.object({
  count: z.number(),
  /** The newest value. */
  last: z.number(),
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
/** Figures of the samples of one series, in its unit. */
export type SampleFigures = Readonly<z.infer<typeof sampleFigures>>;

/** Figures of one series of one node over an interval. */
export const seriesSummary = immutable(
  sampleFigures.extend({
    node: z.string(),
    series: seriesId,
    firstMs: z.number(),
    lastMs: z.number(),
    /** The time of `max`; the first one if it was reached more than once. */
    maxMs: z.number(),
  }),
);
export type SeriesSummary = z.infer<typeof seriesSummary>;

/** A row of the table of all series, for display. */
export interface SeriesRow extends SeriesSummary {
  /** A node or an audience; absent for a node that the run does not list. */
  readonly of: LineSubject | undefined;
  readonly nodeName: string;
  readonly title: string;
}

/** The figures of a series table in column order: the same in the window, the report and its summary. */
export const figureColumns = [
  { id: 'last', title: 'Now' },
  { id: 'min', title: 'Min' },
  { id: 'mean', title: 'Mean' },
  { id: 'p50', title: 'p50' },
  { id: 'p95', title: 'p95' },
  { id: 'p99', title: 'p99' },
  { id: 'max', title: 'Max' },
] as const satisfies readonly { readonly id: keyof SampleFigures; readonly title: string }[];
export type FigureColumn = (typeof figureColumns)[number]['id'];

/** Title of a column; "now" during a run becomes the last value afterwards. */
export function figureTitle(column: (typeof figureColumns)[number], hasEnded: boolean): string {
  return column.id === 'last' && hasEnded ? 'Last' : column.title;
}

/** Figures of values in order of time; undefined for none. Percentiles are measured values. */
export function figuresOf(values: Float64Array | Float32Array): SampleFigures | undefined {
  const sorted = values.slice().sort();
  const min = sorted[0];
  const last = values[values.length - 1];
  if (min === undefined || last === undefined) return undefined;
  const at = (percent: number): number => percentile(sorted, percent) ?? min;
  let sum = 0;
  for (const value of sorted) sum += value;
  return {
    count: values.length,
    last,
    min,
    max: sorted[sorted.length - 1] ?? min,
    mean: sum / values.length,
    p50: at(50),
    p95: at(95),
    p99: at(99),
  };
}

/** Rows with nodes, then audiences, in the order of the run, and series as declared. */
export function seriesRows(
  nodes: readonly NodeView[],
  summaries: readonly SeriesSummary[],
  audiences: readonly LineSubject[] = [],
): readonly SeriesRow[] {
  const declared = new Map(Object.keys(seriesDefinitions).map((id, at) => [id, at]));
  const places = new Map([...nodes, ...audiences].map(({ id }, at) => [id, at]));
  // A core's series comes after the one of all cores.
  const place = ({ node, series }: SeriesSummary): number =>
    (places.get(node) ?? places.size) * 1000 + (declared.get(series) ?? 0.5);
  return [...summaries]
    .sort((a, b) => place(a) - place(b))
    .map((summary) => {
      const all: readonly LineSubject[] = [...nodes, ...audiences];
      const of = all.find(({ id }) => id === summary.node) ?? nodes.find(({ name }) => name === summary.node);
      return {
        ...summary,
        of,
        // The only audience of a plan has no line of its own, except for percentiles over several testers.
        nodeName: of?.name ?? (isAudienceId(summary.node) ? 'all testers' : summary.node),
        title: seriesDefinition(summary.series)?.title ?? summary.series,
      };
    });
}

/** Rows that match every word of a text, by node, title, id, unit or source. */
export function filteredRows(rows: readonly SeriesRow[], text: string): readonly SeriesRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const definition = seriesDefinition(row.series);
    const all = `${row.nodeName} ${row.title} ${row.series} ${definition?.unit ?? ''} ${definition?.source ?? ''}`;
    const lower = all.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
}
