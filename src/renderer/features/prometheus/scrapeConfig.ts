import type { MetricsState } from '../../../contract/prometheusCalls';

/** Prometheus configuration that scrapes this app; undefined while nothing is served. */
export function scrapeConfig({ address, token }: MetricsState): string | undefined {
  if (address === undefined) return undefined;
  const { host } = new URL(address);
  return [
    'scrape_configs:',
    '  - job_name: fullhouse',
    '    scrape_interval: 5s',
    ...(token === undefined ? [] : ['    authorization:', `      credentials: ${token}`]),
    '    static_configs:',
    `      - targets: ['${host.replace(/^(0\.0\.0\.0|\[::\])/, 'THIS-MACHINE')}']`,
    '',
  ].join('\n');
}
