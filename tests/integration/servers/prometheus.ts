import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../undo';
import { freePort } from './freePort';
import { startHttpProgram, type RealProgram } from './nodeExporter';

/** A real Prometheus that scrapes these targets each second; with native histograms it asks for protobuf. */
export async function startPrometheus(
  targets: readonly string[],
  { nativeHistograms = false } = {},
): Promise<RealProgram> {
  const folder = temporaryFolder();
  const config = join(folder, 'prometheus.yml');
  const list = targets.map((target) => `'${target}'`).join(', ');
  writeFileSync(
    config,
    `global: { scrape_interval: 1s, scrape_timeout: 1s }\nscrape_configs:\n  - { job_name: node, static_configs: [{ targets: [${list}] }] }\n`,
  );
  const address = `127.0.0.1:${await freePort()}`;
  return startHttpProgram(
    'prometheus',
    [
      ...[`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${address}`],
      ...(nativeHistograms ? ['--enable-feature=native-histograms'] : []),
    ],
    `http://${address}`,
    '/-/ready',
  );
}
