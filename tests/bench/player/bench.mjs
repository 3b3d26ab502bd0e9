import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { agentPath } from '../../../scripts/setup/agent.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { withAgent } from '../audience/programs/agent.mjs';
import { pause, until } from '../audience/programs/children.mjs';
import { cpuSeconds } from '../audience/programs/processes.mjs';
import { spreadOf } from '../audience/report/spread.mjs';
import { startRuntime } from '../renderer/window.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const ways = ['bare', 'clock', 'picture', 'player'];
const settleMs = 3000;
/** The encoder of the window starts with a smaller picture. */
const fullHeight = 360;
const nominalFps = 30;

/**
 * Cost of the control player beside a bare video element on the same WHEP stream: the test pattern, which the window
 * publishes to the lab all the time. The ways of playing follow each other in rounds, and each is compared with the bare
 * element of its round. CPU is that of all processes of the runtime.
 * @param {{ rounds?: number, seconds?: number, log?: (line: string) => void }} [options]
 */
export async function runPlayerBench({ rounds = 5, seconds = 8, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.page.config.mts'), logLevel: 'warn' });
  const runtime = await startRuntime(here('../../../out/player-bench-page/index.html'));
  const samples = inRoot('assets', 'lab');
  try {
    return await withAgent(agentPath, ['lab', '--exit-when-idle', '--samples', samples], async (lab) => {
      const page = await runtime.open('', 720, 900);
      await exposeLab(page, `http://${lab.http}`);
      await page.evaluate(() => window.playerBench.publish());
      const play = (way) => page.evaluate((wanted) => window.playerBench.play(wanted), way);
      await play('player');
      const figures = () => page.evaluate(() => window.playerBench.figures());
      await until(async () => (await figures())?.playerFrameHeight === fullHeight, 'the picture in full size', 60_000);

      const results = [];
      for (let round = 0; round < rounds; round += 1) {
        log(`player: round ${round + 1} of ${rounds} ...`);
        const cost = {};
        for (const way of ways) {
          await play(way);
          await pause(settleMs);
          cost[way] = await costOf(runtime, page, seconds);
          if (way === 'player') cost.figures = await figures();
        }
        requireWork(cost);
        results.push(cost);
      }
      await play('none');
      const more = (way, share = () => 1) =>
        spreadOf(results.map((cost) => (cost[way].cpuPercent - cost.bare.cpuPercent) * share(cost[way])));
      return {
        results,
        barePercent: spreadOf(results.map(({ bare }) => bare.cpuPercent)),
        playerMorePercent: more('player'),
        clockMorePercent: more('clock', ({ fps }) => nominalFps / fps),
        pictureMorePercent: more('picture', ({ picturesPerSecond }) => 1 / picturesPerSecond),
        ssim: Math.min(...results.map((cost) => cost.figures.playerSsim ?? Number.NaN)),
      };
    });
  } finally {
    await runtime.close();
  }
}

/** A cost of nothing is no result. */
function requireWork({ clock, picture, figures }) {
  if (!(clock.counts.clocksRead > 100)) throw new Error(`Only ${clock.counts.clocksRead} clocks were read.`);
  if (!(picture.picturesPerSecond > 3)) throw new Error('Too few pictures were compared.');
  if (figures?.playerSsim === undefined || figures.playerDelayMs === undefined)
    throw new Error('The player measured no picture or no delay.');
}

/** CPU of the runtime in % of one core, and the frame rate of a bare element. */
async function costOf(runtime, page, seconds) {
  const count = () => page.evaluate(() => window.playerBench.counts());
  const used = async () => new Map((await runtime.pids()).flatMap((pid) => ofProcess(pid)));
  const startMs = performance.now();
  const [countsBefore, before] = [await count(), await used()];
  await pause(seconds * 1000);
  const [after, counts] = [await used(), await count()];
  const passed = (performance.now() - startMs) / 1000;
  const spent = [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
  const perSecond = (name) => (counts[name] - countsBefore[name]) / passed;
  return {
    cpuPercent: (100 * spent) / passed,
    fps: perSecond('frames'),
    picturesPerSecond: perSecond('picturesAnalysed'),
    counts,
  };
}

/** Nothing for one that has just ended: the browser ends its audio service when nothing uses it. */
function ofProcess(pid) {
  try {
    return [[pid, cpuSeconds(pid)]];
  } catch {
    return [];
  }
}

/** WHIP and WHEP requests of the page's engine. */
async function exposeLab(page, url) {
  await page.exposeFunction('labPost', async (path, offerSdp) => {
    const headers = { 'Content-Type': 'application/sdp' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: offerSdp });
    const answerSdp = await response.text();
    if (!response.ok) throw new Error(`The lab returned ${response.status}: ${answerSdp}`);
    return { location: response.headers.get('Location') ?? '', answerSdp };
  });
  await page.exposeFunction('labDelete', async (path) => {
    await fetch(`${url}${path}`, { method: 'DELETE' });
  });
}
