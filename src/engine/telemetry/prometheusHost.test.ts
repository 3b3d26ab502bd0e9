import { describe, expect, it } from 'vitest';
import type { HttpResponse, HttpRequest } from '../links/http/httpLink';
import type { HostSample } from './hostSource';
import { openPrometheusHost } from './prometheusHost';
import { VirtualTime } from '../../../tests/support/virtualTime';

/** A Prometheus with scrapes at these times and instances of these names. */
function open(
  instances: readonly string[] = ['h:9100'],
  { buildinfo, ...more }: { instance?: string; buildinfo?: { status: number; body: string } } = {},
) {
  const { clock, pass } = new VirtualTime();
  const aheadMs = 7000;
  const scrapes: number[] = [];
  let isAway = false;
  const answer = (data: unknown): Promise<HttpResponse> =>
    isAway
      ? Promise.reject(new Error('origin: refused.'))
      : Promise.resolve({
          status: 200,
          headers: {},
          body: JSON.stringify({ status: 'success', data }),
          tookMs: 1,
        });
  const request = ({ url }: HttpRequest): Promise<HttpResponse> => {
    const { pathname, searchParams } = new URL(url);
    const query = searchParams.get('query') ?? '';
    const nowMs = clock.now() + aheadMs;
    if (pathname.endsWith('buildinfo') && buildinfo) return Promise.resolve({ headers: {}, tookMs: 1, ...buildinfo });
    if (pathname.endsWith('buildinfo')) return answer({ version: '2.42.0' });
    if (pathname.includes('/label/')) return answer(instances);
    if (query === 'time()') return answer({ resultType: 'scalar', result: [nowMs / 1000, String(nowMs / 1000)] });
    const window = /\[(\d+)s\]$/.exec(query);
    if (!window) return answer({ resultType: 'vector', result: [] });
    const pastScrapes = scrapes.filter((ms) => ms <= nowMs && ms > nowMs - Number(window[1]) * 1000);
    const received = pastScrapes.map((ms) => [ms / 1000, String(((ms % 1e6) * 125_000) / 1000)]);
    const series = (name: string) => ({ metric: { __name__: name, device: 'eth0' }, values: received });
    const result = pastScrapes.length
      ? [series('node_network_receive_bytes_total'), series('node_network_transmit_bytes_total')]
      : [];
    return answer({ resultType: 'matrix', result });
  };
  const host = openPrometheusHost({ http: { request }, url: 'http://p:9090', who: 'origin', clock, ...more });
  const samples: HostSample[] = [];
  const problems: Array<string | undefined> = [];
  host.onSample((sample) => samples.push(sample));
  host.onProblem((sentence) => problems.push(sentence));
  return {
    host,
    samples,
    problems,
    away: (is: boolean) => {
      isAway = is;
    },
    /** Advances by seconds, with a scrape in each `every` of them. */
    pass: async (seconds: number, every = 1) => {
      for (let second = 1; second <= seconds; second += 1) {
        if (every > 0 && second % every === 0) scrapes.push(clock.now() + aheadMs + 400);
        await pass(1000);
        for (let step = 0; step < 5; step += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

describe('a host through Prometheus', () => {
  it('yields one sample per scrape, at its time by our clock', async () => {
    const { host, samples, problems, pass } = open();
    const startMs = 1_795_000_000_000;
    await pass(20, 5);
    expect(samples.map(({ timeMs }) => timeMs - startMs)).toEqual([4400, 9400, 14_400, 19_400]);
    expect(samples.map(({ values }) => values.networkInMbps)).toEqual([undefined, 1, 1, 1]);
    expect(host.label).toBe('Prometheus 2.42.0');
    expect(problems.at(-1)).toBeUndefined();
  });

  it.each([
    ['VictoriaMetrics, which reports an empty one', 200, '{"status":"success","data":{}}'],
    ['Prometheus before 2.14, which has none', 404, '{"status":"error","errorType":"not_found","error":"unknown"}'],
    ['Cortex, whose page is not JSON', 404, '404 page not found'],
    ['a proxy that allows queries only', 403, '<html>Forbidden</html>'],
    ['Mimir, with another type', 200, '{"status":"success","data":{"version":3,"features":null}}'],
    ['Thanos, which answers 400', 400, '{"status":"error","errorType":"bad_data","error":"unsupported"}'],
  ])('has its figures without the version of %s', async (_, status, body) => {
    const { host, samples, problems, pass } = open(undefined, { buildinfo: { status, body } });
    await pass(10, 5);
    expect(samples.at(-1)?.values.networkInMbps).toBe(1);
    expect(host.label).toBe('Prometheus');
    expect(problems.at(-1)).toBeUndefined();
  });

  it('is backfilled after Prometheus was unreachable for a while', async () => {
    const { samples, problems, away, pass } = open();
    await pass(3);
    away(true);
    await pass(10);
    expect(problems.at(-1)).toBe('origin: refused.');
    expect(samples.length).toBe(3);
    away(false);
    await pass(2);
    expect(samples.length).toBe(15);
    expect(samples.slice(1).every(({ values }) => values.networkInMbps === 1)).toBe(true);
    expect(problems.at(-1)).toBeUndefined();
  });

  it('has a gap with a message when its scrapes stop', async () => {
    const { samples, problems, pass } = open();
    await pass(3);
    await pass(12, 0);
    expect(problems.at(-1)).toMatch(/the Prometheus at http:\/\/p:9090 has received no figures of "h:9100" for 1\d s/);
    const before = samples.length;
    await pass(2);
    expect(samples[before]?.values).not.toHaveProperty('networkInMbps');
    expect(samples[before + 1]?.values.networkInMbps).toBe(1);
    expect(problems.at(-1)).toBeUndefined();
  });

  it('must be chosen among several', async () => {
    const { problems, pass } = open(['a:9100', 'b:9100']);
    await pass(2);
    expect(problems).toEqual([
      'origin: the Prometheus at http://p:9090 has several hosts; choose the instance: a:9100, b:9100.',
    ]);
    const known = open(['a:9100', 'b:9100'], { instance: 'c:9100' });
    await known.pass(2, 0);
    expect(known.problems[0]).toMatch(/has no node_exporter "c:9100"; available: a:9100, b:9100\.$/);
  });
});
