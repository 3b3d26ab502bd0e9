import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import type { HttpResponse, HttpRequest } from '../../links/http/httpLink';
import { readPrometheusRange } from '../prometheusRange';
import { durationMs, PrometheusApi, quoted } from './prometheusApi';
import { readingsOf } from './prometheusReadings';

const recorded = (name: string): string =>
  readFileSync(join(__dirname, '../../../../tests/fixtures/prometheus', `${name}.json`), 'utf8');

/** Responds with a captured text, and records the requests. */
function respondWith(answer: (url: URL) => { status?: number; body: string }): {
  requests: URL[];
  request: (request: HttpRequest) => Promise<HttpResponse>;
} {
  const requests: URL[] = [];
  return {
    requests,
    request: ({ url }) => {
      const parsed = new URL(url);
      requests.push(parsed);
      const { status = 200, body } = answer(parsed);
      return Promise.resolve({ status, headers: {}, body, tookMs: 1 });
    },
  };
}
const apiOf = (status: number, body: string): PrometheusApi =>
  new PrometheusApi(
    respondWith(() => ({ status, body })),
    'origin',
    'http://ann:secret@h:9090/prom/',
  );

describe("Prometheus' answers", () => {
  it('are read', async () => {
    expect(await apiOf(200, recorded('query-instant')).query('node_load1')).toMatchObject([
      { labels: { instance: '10.77.0.1:9100' }, points: [{ timeMs: 1795252866431, value: 0.4 }] },
    ]);
    const [load] = await apiOf(200, recorded('query_range-node_load1')).queryRange('node_load1', 0, 1, 1);
    expect(load?.points.length).toBeGreaterThan(40);
    const [nothing] = await apiOf(200, recorded('query_range-nan')).queryRange('0/0', 0, 1, 1);
    expect(nothing?.points[0]?.value).toBeNaN();
    expect(await apiOf(200, recorded('query_range-empty')).queryRange('x', 0, 1, 1)).toEqual([]);
    expect(await apiOf(200, recorded('buildinfo')).version()).toBe('2.42.0+ds');
    expect(await apiOf(200, recorded('targets')).scrapeIntervalMs('10.77.0.1:9100')).toBe(2000);
  });

  it('keep their other series when one is invalid, and accept numbers as values', async () => {
    const invalid: string[] = [];
    const series = (metric: unknown, value: unknown) => ({ metric, value });
    const body = JSON.stringify({
      status: 'success',
      data: {
        resultType: 'vector',
        result: [series({ a: 'b' }, [1, '7']), series({ a: 3 }, [1, '8']), series(null, [1, '9']), series({}, [2, 11])],
      },
    });
    const api = new PrometheusApi(
      respondWith(() => ({ body })),
      'origin',
      'http://h:9090',
      (sentence) => invalid.push(sentence),
    );
    expect((await api.query('x')).map(({ points }) => points[0]?.value)).toEqual([7, 8, 11]);
    expect(invalid[0]).toContain('data.result.*.metric');
  });

  it("include Prometheus' own reason, and no password", async () => {
    await expect(apiOf(400, recorded('query_range-error-parse')).query('rate(')).rejects.toThrow(
      'origin: the Prometheus at http://h:9090/prom rejected the query "rate(": 1:16: parse error: unclosed left parenthesis.',
    );
    await expect(apiOf(404, '<html>404</html>').query('x')).rejects.toThrow(
      'origin: no Prometheus at http://h:9090/prom (HTTP 404); check the address.',
    );
    await expect(apiOf(200, '<html>hello</html>').query('x')).rejects.toThrow(/an HTML page instead of JSON/);
    await expect(apiOf(200, '{"status":"success","data":{}}').query('x')).rejects.toMatchObject({
      code: 'bad-answer',
    });
  });

  it('accept the usual forms of an address', async () => {
    const http = respondWith(() => ({ body: recorded('query-instant') }));
    await new PrometheusApi(http, 'origin', 'host:9090/').query('up{a="b c"}');
    expect(http.requests[0]?.href).toBe('http://host:9090/api/v1/query?query=up%7Ba%3D%22b+c%22%7D');
  });
});

it('makes one reading per scrape', () => {
  const series = (name: string, labels: Record<string, string>, points: ReadonlyArray<[number, number]>) => ({
    labels: { __name__: name, ...labels },
    points: points.map(([timeMs, value]) => ({ timeMs, value })),
  });
  const readings = readingsOf(
    [
      series('node_memory_MemTotal_bytes', {}, [[2000, 100], [1000, 100], [500, 1]]), // prettier-ignore
      series('node_memory_MemAvailable_bytes', {}, [[1000, 40], [2000, 30]]), // prettier-ignore
    ],
    500,
  );
  expect(readings.map(({ monotonicMs, memoryUsedBytes }) => [monotonicMs, memoryUsedBytes])).toEqual([
    [1000, 60],
    [2000, 70],
  ]);
});

it('splits a long range into parts that Prometheus accepts', async () => {
  const startMs = 1_795_000_000_000;
  const http = respondWith((url) => {
    if (url.pathname.endsWith('query'))
      return {
        body: `{"status":"success","data":{"resultType":"scalar","result":[${startMs / 1000 + 5},"${startMs / 1000 + 5}"]}}`,
      };
    return {
      body: JSON.stringify({
        status: 'success',
        data: {
          resultType: 'matrix',
          result: [{ metric: {}, values: [[Number(url.searchParams.get('start')), '7']] }],
        },
      }),
    };
  });
  const samples = await readPrometheusRange({
    http,
    url: 'http://h:9090',
    instance: 'a"b',
    who: 'origin',
    fromMs: startMs,
    toMs: startMs + 25_000_000,
    stepMs: 1000,
    queries: { load1: 'node_load1{instance=$instance}' },
    // Prometheus' clock is 5 s ahead.
    clock: new VirtualTime(startMs).clock,
  });
  const ranges = http.requests.filter(({ pathname }) => pathname.endsWith('query_range'));
  expect(ranges.map(({ searchParams: s }) => [s.get('query'), Number(s.get('end')) - Number(s.get('start'))])).toEqual([
    ['node_load1{instance="a\\"b"}', 9999],
    ['node_load1{instance="a\\"b"}', 9999],
    ['node_load1{instance="a\\"b"}', 5000],
  ]);
  expect(samples).toEqual([0, 10_000_000, 20_000_000].map((ms) => ({ timeMs: startMs + ms, values: { load1: 7 } })));
});

it('writes PromQL and reads durations', () => {
  expect(quoted('a"\\\n')).toBe('"a\\"\\\\\\n"');
  expect([durationMs('1m30s'), durationMs('500ms'), durationMs('x')]).toEqual([90_000, 500, undefined]);
});
