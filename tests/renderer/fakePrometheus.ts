import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { ImportProgress, MetricsState, prometheusCalls } from '../../src/contract/prometheusCalls';
import type { FoundTarget } from '../../src/domain/plan/importPlan';

type News =
  | { readonly name: 'prometheusImport'; readonly payload: ImportProgress }
  | { readonly name: 'metrics'; readonly payload: MetricsState };

const lastMs = Date.UTC(2026, 10, 24, 16, 30);
const hours = (count: number): number => count * 3_600_000;

const host = (instance: string): FoundTarget => ({
  target: { family: 'node_exporter', labels: { instance, job: 'hosts' } },
  ...{ role: 'origin', firstMs: lastMs - hours(200), lastMs, scrapeMs: 15_000 },
  series: {
    cpuPercent: 1,
    'cpuCorePercent:{cpu}': 16,
    load1: 1,
    memoryUsedBytes: 1,
    'networkOutMbps:{device}': 2,
  },
});

/** Content of a customer's Prometheus: a WCS with its host, and a tester's host. */
export const foundTargets: readonly FoundTarget[] = [
  host('wcs-1.example.net:9100'),
  {
    target: { family: 'wcs', labels: { instance: 'wcs-1.example.net:8081', job: 'wcs' } },
    ...{ role: 'origin', firstMs: lastMs - hours(30), lastMs, scrapeMs: 15_000 },
    series: { originViewers: 1, originConnections: 1, originDegraded: 1, gcPauseMs: 1, 'server:{param}': 24 },
  },
  host('tester-1.example.net:9100'),
];

/** A Prometheus at every address except `http://down`; an import from it runs until it is cancelled. */
export function prometheusHandlers(tell: (news: News) => void): Handlers<keyof typeof prometheusCalls> {
  let metrics: MetricsState = {};
  const id = 'imported';
  const word = (state: ImportProgress['state'], rest: Partial<ImportProgress> = {}): void =>
    tell({ name: 'prometheusImport', payload: { id, name: 'wcs-1 by Prometheus', state, ...rest } });
  const change = (state: MetricsState): MetricsState => {
    metrics = state;
    tell({ name: 'metrics', payload: state });
    return state;
  };
  return {
    'prometheus.inspect': ({ prometheus }) => {
      if (prometheus === 'http://down')
        throw new FullhouseError(
          'refused',
          'import: nothing listens at http://down; check the port and that the server is running.',
        );
      return {
        address: prometheus,
        version: '2.53.1',
        aheadMs: 0,
        targets: [...foundTargets],
        further: 0,
        hasPassword: false,
      };
    },
    'prometheus.import': () => {
      queueMicrotask(() => word('reading', { pieces: 12, done: 5, samples: 61_320 }));
      return { id };
    },
    'prometheus.resume': () => ({ id }),
    'prometheus.cancel': () => {
      word('cancelled', { sentence: 'Cancelled; nothing was saved.' });
      return { done: true };
    },
    'metrics.state': () => metrics,
    'metrics.start': ({ port, bind }) =>
      change({
        ...{ address: `http://${bind ?? '127.0.0.1'}:${port}/metrics`, port },
        ...(bind === undefined ? {} : { token: 'n0t-a-real-token-but-as-long-as-one' }),
      }),
    'metrics.stop': () => {
      change({});
      return { done: true };
    },
  };
}
