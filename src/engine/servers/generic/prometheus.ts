import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { isSeries, type SeriesId } from '../../../domain/series/series';
import type { HttpLink } from '../../links/http/httpLink';

const value = z.tuple([z.number(), z.union([z.string(), z.number()])]);
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

/** Queries by series, and a sentence for each whose series does not exist. */
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
            `${who}: "${series}" is not a series of Fullhouse, so its query is skipped; a server-specific figure is called server:${series.replace(/[^A-Za-z0-9_.%/-]/g, '_') || 'name'}.`,
          ],
    ),
  };
}

/**
 * Queries a Prometheus for one figure. Undefined when it has none now (no series, or NaN). Rejects with one sentence:
 * no response, a query that Prometheus rejects, or one with several results.
 */
export async function queryPrometheus(
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
      `${who}: the server at ${origin} is not a Prometheus (HTTP ${status}); check its address.`,
    );
  const { data, error } = parsed.data;
  if (parsed.data.status === 'error' || !data || !('result' in data))
    throw new FullhouseError(
      'bad-query',
      `${who}: Prometheus rejected the query for ${series}: ${error ?? 'its result is not a number'}.`,
    );
  const values = data.resultType === 'scalar' ? [data.result] : data.result.map((each) => each.value);
  if (values.length > 1)
    throw new FullhouseError(
      'bad-query',
      `${who}: the query for ${series} returns ${values.length} values instead of one; wrap it in sum() or max().`,
    );
  const figure = Number(values[0]?.[1]);
  return values[0] && Number.isFinite(figure) ? figure : undefined;
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // reported as "not a Prometheus"
  }
}
