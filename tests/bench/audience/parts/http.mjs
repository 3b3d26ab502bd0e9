import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longFile, publishTestPicture, startNginx } from '../programs/nginx.mjs';
import { until } from '../programs/children.mjs';
import { measureAgent, measurePlain, reasonItIsMissing } from './audiences.mjs';

/** Number of HLS viewers that one machine of two cores must sustain beside its origin. */
const mostViewers = 5000;

/**
 * Viewers of a real nginx over HTTP, agent and plain client in turn on the same stream: HLS with segments of 2 s, and a
 * long FLV file that nginx sends at the rate of the stream.
 * @param {object} bench see `main.mjs`
 */
export async function measureHttp(bench) {
  const { viewers, log } = bench;
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-bench-'));
  const nginx = await startNginx(folder);
  let publisher;
  try {
    publisher = await publishTestPicture(folder, `rtmp://127.0.0.1:${nginx.port}/live/measured`);
    const address = (path) => `http://127.0.0.1:${nginx.httpPort}/${path}`;
    const hls = address('hls/measured.m3u8');
    // Three segments, as viewers start that far behind.
    await until(async () => /(#EXTINF[^#]*){3}/.test(await textOf(hls)), 'three segments', 30_000);
    const compare = async (protocol, url, count = viewers) => {
      log(`i: ${count} viewers of nginx over ${protocol}, agent ...`);
      let ours;
      try {
        ours = await measureAgent(bench, { protocol, url, viewers: count });
      } catch (error) {
        return { ours: { missing: reasonItIsMissing(error) } };
      }
      if (count !== viewers) return { ours };
      log('i: the same with the plain client ...');
      return { ours, plain: await measurePlain(bench, 'plain-http', { url, viewers: count }) };
    };
    return {
      hls: await compare('hls', hls),
      flv: await compare('http-flv', address(longFile)),
      ...(viewers < mostViewers && viewers >= 1000 ? { most: await compare('hls', hls, mostViewers) } : {}),
    };
  } finally {
    await publisher?.end();
    await nginx.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function textOf(url) {
  const response = await fetch(url);
  return response.ok ? response.text() : '';
}
