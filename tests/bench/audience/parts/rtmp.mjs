import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNginx, publishTestPicture } from '../programs/nginx.mjs';
import { measureAgent, measurePlain, reasonItIsMissing } from './audiences.mjs';

/**
 * 1,000 viewers of a real nginx-rtmp over RTMP: agent and plain client in turn on the same stream.
 * @param {object} bench see `main.mjs`
 */
export async function measureRtmp(bench) {
  const { viewers, log } = bench;
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-bench-'));
  const nginx = await startNginx(folder);
  let publisher;
  try {
    const url = `rtmp://127.0.0.1:${nginx.port}/live/measured`;
    publisher = await publishTestPicture(folder, url);
    const results = {};
    log(`f: ${viewers} viewers of nginx over RTMP, agent ...`);
    try {
      results.ours = await measureAgent(bench, { protocol: 'rtmp', url, viewers });
    } catch (error) {
      results.ours = { missing: reasonItIsMissing(error) };
    }
    log('f: the same with the plain client ...');
    results.plain = await measurePlain(bench, 'plain-rtmp', { url, viewers });
    return results;
  } finally {
    await publisher?.end();
    await nginx.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
