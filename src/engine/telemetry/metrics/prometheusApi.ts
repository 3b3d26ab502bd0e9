import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink } from '../../links/http/httpLink';
import { readParts, type OnInvalid } from '../../links/http/readResponse';

/** A value with its time in ms by Prometheus' clock. */
export interface PrometheusPoint {
  readonly timeMs: number;
  readonly value: number;
}

export interface PrometheusSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly PrometheusPoint[];
}

/** A value is a string; some compatible servers write the number itself. */
const point = z.tuple([z.union([z.number(), z.string()]).transform(Number), z.union([z.string(), z.number()])]);
const labels = z.record(z.string(), z.string());
const queryResult = z.discriminatedUnion('resultType', [
  z.object({
    resultType: z.literal('matrix'),
    result: z.array(z.object({ metric: labels, values: z.array(point) })),
  }),
  z.object({ resultType: z.literal('vector'), result: z.array(z.object({ metric: labels, value: point })) }),
  z.object({ resultType: z.literal('scalar'), result: point }),
  z.object({ resultType: z.literal('string'), result: point }),
]);
const failure = z.object({ status: z.literal('error'), error: z.string() });

/** Prometheus' HTTP API, as far as needed. Rejects with one sentence that includes Prometheus' own reason. */
export class PrometheusApi {
  private readonly base: string;

  constructor(
    private readonly http: Pick<HttpLink, 'request'>,
    /** The node's name, for messages. */
    private readonly who: string,
    url: string,
    private readonly onInvalid?: OnInvalid,
  ) {
    const withScheme = /^https?:\/\//i.test(url) ? url : `http://${url}`;
    this.base = withScheme.replace(/\/+$/, '');
  }

  /** For display, without a password. */
  get address(): string {
    return this.base.replace(/\/\/[^@/]*@/, '//');
  }

  /** An instant query, now or at a time: each series with its one value, or with all of a range selector's. */
  async query(query: string, atMs?: number): Promise<PrometheusSeries[]> {
    return this.ask('query', { query, ...(atMs === undefined ? {} : { time: (atMs / 1000).toFixed(3) }) }, query);
  }

  async queryRange(query: string, fromMs: number, toMs: number, stepMs: number): Promise<PrometheusSeries[]> {
    const seconds = (ms: number): string => (ms / 1000).toFixed(3);
    const params = { query, start: seconds(fromMs), end: seconds(toMs), step: seconds(stepMs) };
    return this.ask('query_range', params, query);
  }

  /** Its time now in ms. */
  async time(): Promise<number> {
    const [answer] = await this.query('time()');
    return (answer?.points[0]?.value ?? NaN) * 1000;
  }

  /** Undefined where it is not reported: before Prometheus 2.14, and by several compatible servers. */
  async version(): Promise<string | undefined> {
    const { version } = await this.get('status/buildinfo', {}, z.object({ version: z.string().optional() }));
    return version === '' ? undefined : version;
  }

  /** Values of `label` among the series of `metric`. */
  labelValues(label: string, metric: string): Promise<string[]> {
    return this.get(`label/${label}/values`, { 'match[]': metric }, z.array(z.string()));
  }

  /** Scrape interval of this instance in ms; undefined when unknown. */
  async scrapeIntervalMs(instance: string): Promise<number | undefined> {
    return (await this.scrapeIntervals()).get(instance);
  }

  /** Scrape interval of each target, in ms by instance; dropped targets are absent. */
  async scrapeIntervals(): Promise<ReadonlyMap<string, number>> {
    const target = z.object({ labels: labels.default({}), scrapeInterval: z.string().optional() });
    const { activeTargets } = await this.get(
      'targets',
      { state: 'active' },
      z.object({ activeTargets: z.array(target).default([]) }),
    );
    return new Map(
      activeTargets.flatMap(({ labels: { instance }, scrapeInterval }): Array<[string, number]> => {
        const everyMs = scrapeInterval === undefined ? undefined : durationMs(scrapeInterval);
        return instance === undefined || everyMs === undefined ? [] : [[instance, everyMs]];
      }),
    );
  }

  /** Retention time in ms; undefined when only the size is bounded. */
  async keptMs(): Promise<number | undefined> {
    const { storageRetention } = await this.get(
      'status/runtimeinfo',
      {},
      z.object({ storageRetention: z.string().optional() }),
    );
    return storageRetention === undefined ? undefined : durationMs(storageRetention);
  }

  private async ask(path: string, params: Record<string, string>, query: string): Promise<PrometheusSeries[]> {
    const data = await this.get(path, params, queryResult, query);
    if (data.resultType === 'matrix')
      return data.result.map(({ metric, values }) => ({ labels: metric, points: values.map(pointOf) }));
    if (data.resultType === 'vector')
      return data.result.map(({ metric, value }) => ({ labels: metric, points: [pointOf(value)] }));
    return [{ labels: {}, points: [pointOf(data.result)] }];
  }

  private async get<T>(path: string, params: Record<string, string>, schema: z.ZodType<T>, query?: string): Promise<T> {
    const url = `${this.base}/api/v1/${path}?${new URLSearchParams(params).toString()}`;
    const { status, body } = await this.http.request({ url });
    if (status !== 200) {
      const response = failure.safeParse(jsonOrNothing(body));
      const about = query === undefined ? 'the request' : `the query "${query}"`;
      throw new FullhouseError(
        'prometheus',
        response.success
          ? `${this.who}: the Prometheus at ${this.address} rejected ${about}: ${response.data.error}.`
          : `${this.who}: no Prometheus at ${this.address} (HTTP ${status}); check the address.`,
      );
    }
    return readParts(
      this.who,
      new URL(url),
      body,
      z.object({ status: z.literal('success'), data: schema }),
      this.onInvalid,
    ).data;
  }
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Prometheus writes "NaN", "+Inf" and "-Inf" where JSON has no number. */
function pointOf([seconds, text]: readonly [number, string | number]): PrometheusPoint {
  const value = text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
  return { timeMs: Math.round(seconds * 1000), value };
}

/** Prometheus' durations, e.g. `1m30s`, `500ms`. */
export function durationMs(text: string): number | undefined {
  const units: Readonly<Record<string, number>> = {
    ...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
    ...{ d: 86_400_000, w: 604_800_000, y: 31_536_000_000 },
  };
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d|w|y)/g))
    total += Number(count) * (units[unit ?? ''] ?? 0);
  return total > 0 ? total : undefined;
}

/** A label value quoted for PromQL. */
export function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}
