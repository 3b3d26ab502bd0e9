import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentPath } from '../../../scripts/setup/agent.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { withAgent } from '../audience/programs/agent.mjs';
import { connectAgent, disconnectAgent } from '../audience/parts/audiences.mjs';
import { startRuntime } from '../renderer/window.mjs';
import { startThrottledOrigin } from './origin.mjs';

/** A gap that counts as a stall, as in `src/domain/viewer/degraded.ts`. */
const stallMs = 500;
/** Share of the stream's bitrate that clients receive: enough, then too little for 16 s, and so on. */
const share = (seconds) => (seconds % 35 < 15 ? 3 : 0.3);

const html = (hls) => `<!doctype html><video id="video" muted></video><script src="${hls}"></script><script>
const video = document.getElementById('video');
const found = { stalls: 0, stalledMs: 0, startedMs: 0 };
let movedMs = 0, at = 0;
setInterval(() => {
  const nowMs = performance.now();
  if (video.currentTime === at) return;
  const gapMs = nowMs - movedMs;
  if (found.startedMs && gapMs >= ${stallMs}) { found.stalls += 1; found.stalledMs += gapMs; }
  found.startedMs ||= nowMs;
  at = video.currentTime; movedMs = nowMs;
}, 10);
window.start = (url) => {
  const hls = new Hls({ lowLatencyMode: false });
  hls.loadSource(url); hls.attachMedia(video);
  hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
};
window.found = () => ({ ...found, ongoingMs: performance.now() - movedMs });
</script>`;

/**
 * The stalls of a viewer of the agent beside those of hls.js in the real browser engine, on the same throttled origin.
 * @param {{ seconds?: number, log?: (line: string) => void }} [options]
 */
export async function runStallsBench({ seconds = 120, log = () => undefined } = {}) {
  const origin = await startThrottledOrigin(seconds + 30, share);
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-stalls-page-'));
  const file = join(folder, 'index.html');
  writeFileSync(file, html(pathToFileURL(inRoot('node_modules', 'hls.js', 'dist', 'hls.min.js')).href));
  const runtime = await startRuntime(file);
  try {
    const page = await runtime.open('', 640, 480);
    log(`stalls: ${seconds} s of a throttled HLS stream in hls.js and in the agent ...`);
    return await withAgent(agentPath, ['audience'], async (agent) => {
      await Promise.all([
        page.evaluate((url) => window.start(url), origin.address('browser')),
        connectAgent(agent, { protocol: 'hls', url: origin.address('agent'), viewers: 1 }),
      ]);
      await page.waitForTimeout(seconds * 1000);
      const browser = await page.evaluate(() => window.found());
      const { viewers } = await agent.call('audience.viewers', { job: 'bench', offset: 0, limit: 1 });
      await disconnectAgent(agent);
      const [{ stalls, stalledMs }] = viewers;
      return { browser, agent: { stalls, stalledMs } };
    });
  } finally {
    await runtime.close();
    origin.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
