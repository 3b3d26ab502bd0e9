import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { seriesDefinition, type SeriesId } from '../../../domain/series';
import type { HttpLink } from '../../links/http/httpLink';

const value = z.tuple([z.number(), z.string()]);
const answer = z.object({
  status: z.enum(['success', 'error']),
  error: z.string().optional(),
  data: z
    .union([
      z.object({ resultType: z.literal('vector'), result: z.array(z.object({ value })) }),
      z.object({ resultType: z.literal('scalar'), result: value }),
      z.object({ resultType: z.string() }),
    ])
    .optional(),
});

/** Queries by series, and a sentence for each that asks for a series that does not exist. */
export function readQueries(
  who: string,
  queries: Readonly<Record<string, string>>,
): { readonly known: ReadonlyArray<readonly [SeriesId, string]>; readonly remarks: readonly string[] } {
  const all = Object.entries(queries);
  return {
    known: all.flatMap(([series, query]) => (isSeries(series) ? [[series, query] as const] : [])),
    remarks: all.flatMap(([series]) =>
      isSeries(series)
        ? []
        : [
            `${who}: "${series}" is no series of Fullhouse, so its query is not asked; give a figure without a name of its own one as server:${series.replace(/[^A-Za-z0-9_.%/-]/g, '_') || 'name'}.`,
          ],
    ),
  };
}

function isSeries(id: string): id is SeriesId {
  return seriesDefinition(id) !== undefined;
}

/**
 * Asks a Prometheus for one figure. Undefined when it has none now (no series, or NaN). Rejects with one sentence: no answer, a
 * query that Prometheus does not understand, or one that gives several figures.
 */
export async function askPrometheus(
  http: HttpLink,
  who: string,
  base: string,
  series: SeriesId,
  query: string,
): Promise<number | undefined> {
  const root = base.endsWith('/') ? base : `${base}/`;
  const url = new URL(`api/v1/query?query=${encodeURIComponent(query)}`, root).href;
  const { status, body } = await http.request({ url });
  const parsed = answer.safeParse(readJson(body));
  const { origin } = new URL(root);
  if (!parsed.success)
    throw new FullhouseError(
      status === 200 ? 'bad-answer' : `http-${status}`,
      `${who}: what answers at ${origin} is no Prometheus (HTTP ${status}); check its address.`,
    );
  const { data, error } = parsed.data;
  if (parsed.data.status === 'error' || !data || !('result' in data))
    throw new FullhouseError(
      'bad-query',
      `${who}: Prometheus does not take the query of ${series}: ${error ?? 'it gives no figure but something else'}.`,
    );
  const values = data.resultType === 'scalar' ? [data.result] : data.result.map((each) => each.value);
  if (values.length > 1)
    throw new FullhouseError(
      'bad-query',
      `${who}: the query of ${series} gives ${values.length} figures where one is wanted; put sum() or max() around it.`,
    );
  const figure = Number(values[0]?.[1]);
  return values[0] && Number.isFinite(figure) ? figure : undefined;
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // told as "no Prometheus"
  }
}
