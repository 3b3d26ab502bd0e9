import { afterEach, expect, it } from 'vitest';
import { isLive, waitForNode, pause, trustKey } from './fleetSupport';
import { startNodeExporter } from './servers/nodeExporter';
import { startNginxRtmp } from './servers/nginxRtmp';
import { startSshd } from './servers/sshd';
import { cleanUp, engineInTemporaryFolder, later, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

/** How often each series of a node was sampled, and how close two samples of one series were, from now on. */
function watchSamples(engine: TestEngine, id: string) {
  const times = new Map<string, number[]>();
  engine.client.on('samples', ({ keys, key, timeMs }) =>
    key.forEach((at, place) => {
      const { node, series } = keys[at] ?? {};
      if (node !== id || series === undefined) return;
      const known = times.get(series);
      if (known) known.push(timeMs[place] ?? NaN);
      else times.set(series, [timeMs[place] ?? NaN]);
    }),
  );
  return {
    of: (series: string): number[] => times.get(series) ?? [],
    closest: (series: string): number => {
      const all = [...(times.get(series) ?? [])].sort((a, b) => a - b);
      return Math.min(...all.slice(1).map((time, index) => time - (all[index] ?? 0)));
    },
  };
}

it('takes CPU and network of a host from one source, a node_exporter beside SSH under separate names', async () => {
  const server = await startSshd();
  later(() => server.stop());
  const [exporter, nginx] = await Promise.all([startNodeExporter(), startNginxRtmp(temporaryFolder())]);
  later(() => nginx.end());
  const engine = engineInTemporaryFolder();
  await engine.client.call('nodes.add', {
    name: 'media',
    settings: {
      ...{ server: 'nginx-rtmp', url: nginx.url, nodeExporter: exporter.url },
      ...{ ssh: server.address, keyFile: server.keyFile },
    },
    secrets: {},
  });
  await trustKey(engine, 'media');
  const isSourced = ({ figureSources = [] }: { figureSources?: readonly { others: readonly string[] }[] }) =>
    figureSources.some(({ others }) => others.length > 0);
  await waitForNode(engine, 'media', (node) => isLive(node) && isSourced(node));
  // CPU needs two readings of a source: until the better one has them, the other one provides the series.
  await pause(2500);
  const samples = watchSamples(engine, 'media');
  await pause(6000);
  for (const series of ['cpuPercent', 'networkOutMbps', 'memoryUsedBytes']) {
    expect(samples.of(series).length, series).toBeGreaterThanOrEqual(4);
    expect(samples.closest(series), series).toBeGreaterThan(500);
    expect(samples.of(`${series}@node_exporter`).length, series).toBeGreaterThanOrEqual(4);
  }
  const view = await waitForNode(engine, 'media', isSourced);
  const [host] = view.figureSources ?? [];
  expect(host).toMatchObject({ figures: 'CPU, memory, network', source: '/proc over SSH' });
  expect(host?.others.join()).toMatch(/^node_exporter/);
  expect(view.links?.map(({ label }) => label)).toEqual(expect.arrayContaining(['SSH', 'node_exporter']));
});

it('records a node_exporter of this machine under separate names', async () => {
  const [exporter, nginx] = await Promise.all([startNodeExporter(), startNginxRtmp(temporaryFolder())]);
  later(() => nginx.end());
  const engine = engineInTemporaryFolder();
  await engine.client.call('nodes.add', {
    name: 'media',
    settings: { server: 'nginx-rtmp', url: nginx.url, nodeExporter: exporter.url },
    secrets: {},
  });
  await waitForNode(engine, 'media', isLive);
  await pause(2500);
  const samples = watchSamples(engine, 'media');
  await pause(5000);
  // Loopback is part of this machine's traffic, but not of node_exporter's.
  expect(samples.of('networkOutMbps').length).toBeGreaterThanOrEqual(3);
  expect(samples.closest('networkOutMbps')).toBeGreaterThan(500);
  expect(samples.of('networkOutMbps@node_exporter').length).toBeGreaterThanOrEqual(3);
});
