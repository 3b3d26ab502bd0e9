import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import type { HttpRequest } from '../../links/http/httpLink';
import { prometheusRangeParts } from '../prometheusRange';
import { instanceLabels, matchOf, seriesOfOneHost } from './hostInstance';
import { PrometheusApi, type PrometheusSeries } from './prometheusApi';

const api = new PrometheusApi({ request: () => Promise.reject(new Error('not requested')) }, 'origin', 'http://p:9090');
/** A host's figures as one scrape has them. */
const host = (labels: Record<string, string>, from: number, atMs = 1000): PrometheusSeries[] => {
  const one = (name: string, own: Record<string, string>, value: number): PrometheusSeries => ({
    labels: { __name__: name, instance: 'h:9100', ...labels, ...own },
    points: [{ timeMs: atMs, value }],
  });
  return [
    one('node_load1', {}, 1),
    one('node_cpu_seconds_total', { cpu: '0', mode: 'idle' }, from + atMs / 1000),
    one('node_network_transmit_bytes_total', { device: 'eth0' }, from * 1000),
  ];
};
const chosen = (...hosts: PrometheusSeries[][]): readonly PrometheusSeries[] =>
  seriesOfOneHost(api, 'origin', 'h:9100', hosts.flat());

describe('hosts with one instance label', () => {
  it('are told apart by their other labels, and the user is asked for one', () => {
    expect(() => chosen(host({ job: 'node', cluster: 'eu' }, 5), host({ job: 'node', cluster: 'us' }, 5000))).toThrow(
      'origin: the Prometheus at http://p:9090 has 2 hosts with the instance "h:9100"; they differ in cluster (eu, us). Choose one in the instance, e.g. h:9100{cluster="eu"}.',
    );
    expect(() => chosen(host({ env: 'a', dc: '1' }, 5), host({ env: 'b', dc: '2' }, 900))).toThrow(
      /they differ in dc \(1, 2\) and env \(a, b\)\. .*h:9100\{dc="1",env="a"\}\.$/,
    );
    expect(() => chosen(host({ job: 'eu-node' }, 5), host({ job: 'us-node' }, 900))).toThrow(/differ in job/);
    expect(() => chosen(host({}, 5), host({ cluster: 'us' }, 900))).toThrow(/cluster \(us, none\)/);
  });

  it.each([
    ['two jobs', { job: 'node' }, { job: 'kubernetes' }],
    ['two replicas of a Prometheus', { replica: 'a' }, { replica: 'b' }],
    ['two receivers', { receive: '1', tenant_id: 'x' }, { receive: '2', tenant_id: 'x' }],
  ])('that are one host scraped by %s are one', (_, one, other) => {
    const series = chosen(host(one, 5), host(other, 5, 3100));
    expect(series.length).toBe(3);
    expect(new Set(series.map(({ labels }) => JSON.stringify({ ...labels, ...one }))).size).toBe(3);
  });

  it('are chosen by labels in braces', () => {
    expect(instanceLabels('h:9100')).toEqual({ instance: 'h:9100' });
    expect(matchOf(instanceLabels('[::1]:9100{cluster="eu",dc = "a\\"b"}'))).toBe(
      'instance="[::1]:9100",cluster="eu",dc="a\\"b"',
    );
    expect(matchOf(instanceLabels('{nodename="media-1"}'))).toBe('nodename="media-1"');
  });
});

describe('history', () => {
  const parts = async (answer: (url: URL) => unknown, instance = 'h:9100') => {
    const request = ({ url }: HttpRequest) => {
      const data = answer(new URL(url));
      const body = data === undefined ? '{"status":"error","error":"no"}' : JSON.stringify({ status: 'success', data });
      return Promise.resolve({ status: data === undefined ? 404 : 200, headers: {}, body, tookMs: 1 });
    };
    const samples = [];
    const range = {
      http: { request },
      url: 'http://p:9090',
      instance,
      who: 'origin',
      fromMs: 0,
      toMs: 10_000,
      stepMs: 5000,
    };
    const { clock } = new VirtualTime(10_000);
    for await (const part of prometheusRangeParts({ ...range, clock })) samples.push(...part.samples);
    return samples;
  };
  const vector = (series: readonly PrometheusSeries[]): unknown => ({
    resultType: 'vector',
    result: series.map(({ labels, points }) => ({ metric: labels, value: [1, String(points[0]?.value)] })),
  });
  const rates = (devices: Readonly<Record<string, number>>) => (url: URL) => {
    const query = url.searchParams.get('query') ?? '';
    if (query === 'time()') return { resultType: 'scalar', result: [10, '10'] };
    if (!url.pathname.endsWith('query_range')) return undefined;
    const isTraffic = query.includes('node_network_');
    return {
      resultType: 'matrix',
      result: Object.entries(isTraffic ? devices : {}).map(([device, mbps]) => ({
        metric: { device, instance: 'h:9100' },
        values: [[10, String(mbps)]],
      })),
    };
  };
  const mac = (device: string, address: string): PrometheusSeries => ({
    labels: { __name__: 'node_network_info', instance: 'h:9100', device, address },
    points: [{ timeMs: 1, value: 1 }],
  });

  it('counts a wire once, by its MAC address', async () => {
    const traffic = rates({ eth0: 100, enP5s1: 100, docker0: 100 });
    const samples = await parts((url) =>
      url.pathname.endsWith('query') && url.searchParams.get('query')?.startsWith('{')
        ? vector([mac('eth0', '00:0d:3a'), mac('enP5s1', '00:0d:3a'), mac('docker0', '02:42'), ...host({}, 5)])
        : traffic(url),
    );
    expect(samples.map(({ values }) => values.networkOutMbps)).toEqual([100]);
  });

  it('goes by names where nothing else is known, and leaves a gap for an impossible rate', async () => {
    expect((await parts(rates({ eth0: 100, veth1: 100 }))).map(({ values }) => values.networkOutMbps)).toEqual([100]);
    const [sample] = await parts(rates({ eth0: 38_149_096 }));
    expect(sample?.values).not.toHaveProperty('networkOutMbps');
    expect(sample?.values).not.toHaveProperty('networkOutMbps:eth0');
  });

  it('of two hosts is refused', async () => {
    const answer = (url: URL) =>
      url.searchParams.get('query')?.startsWith('{')
        ? vector([...host({ cluster: 'eu' }, 5), ...host({ cluster: 'us' }, 900)])
        : rates({})(url);
    await expect(parts(answer)).rejects.toThrow(/differ in cluster/);
  });
});
