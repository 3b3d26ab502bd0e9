import { inRoot } from '../../../../scripts/setup/paths.mjs';
import { withAgent } from '../programs/agent.mjs';
import { pause, startChild, until } from '../programs/children.mjs';
import { measureArrival, measureAgent, measurePlain, reasonItIsMissing } from './audiences.mjs';
import { profileAgent, profilePlain } from './profiles.mjs';

const stream = 'measured';
const sampleStream = 'sample';
const arrivals = 3;

/**
 * 1,000 viewers of the lab over WHEP: agent and plain client in turn on the same lab and stream.
 * @param {object} bench see `main.mjs`
 * @param {(part: string) => boolean} isWanted
 */
export async function measureWhep(bench, isWanted) {
  const { viewers, log } = bench;
  const results = {};
  await withAgent(bench.agent, ['lab', '--samples', inRoot('assets', 'lab')], async (lab) => {
    const publisher = startChild(bench.programs, ['publish', '--url', `http://${lab.http}/whip/${stream}`]);
    await publisher.received('ready');
    await until(
      async () => (await lab.call('lab.streams')).streams.some((each) => each.packetsPerSecond > 0),
      'the published stream',
      10_000,
    );
    const url = `http://${lab.http}/whep/${stream}`;
    if (isWanted('a')) {
      log(`a: ${viewers} viewers of the lab, agent ...`);
      results.ours = await measureAgent(bench, { url, viewers });
      log(`b: the same with the plain client ...`);
      results.plain = await measurePlain(bench, 'plain', { url, viewers });
    }
    if (bench.pprof)
      results.profiles = [await profileAgent(bench, { url, viewers }), await profilePlain(bench, { url, viewers })];
    if (isWanted('c')) {
      log(`c: how fast ${viewers} connect, ${arrivals} times ...`);
      // The lab's own sample starts for each viewer at once; with a camera's stream each waits for the next keyframe.
      await lab.call('lab.publish-sample', { stream: sampleStream, sample: 'sample-240p' });
      const from = `http://${lab.http}/whep/${sampleStream}`;
      results.rampUpMs = await measureArrival(bench, { url: from, viewers, times: arrivals });
    }
    if (isWanted('d')) {
      log(`d: the same with transport-wide feedback and a 5 % decrypted sample ...`);
      try {
        await lab.call('lab.conditions', { stream, transportCc: true });
        results.truer = await measureAgent(bench, {
          url,
          viewers,
          more: { decryptPercent: 5 },
          alsoAsk: () => feedbackRate(lab),
        });
      } catch (error) {
        results.truer = { missing: reasonItIsMissing(error) };
      }
    }
    await publisher.end();
  });
  return results;
}

const askedEveryMs = 5000;
const listed = 1000;

/** Transport-wide feedback packets per viewer and second, as counted by the lab. */
async function feedbackRate(lab) {
  const startMs = performance.now();
  const before = await feedbackSoFar(lab);
  await pause(askedEveryMs);
  const after = await feedbackSoFar(lab);
  const seconds = (performance.now() - startMs) / 1000;
  return { feedbackPerSecond: (after.packets - before.packets) / seconds / after.viewers };
}

async function feedbackSoFar(lab) {
  let packets = 0;
  let viewers = 0;
  for (let offset = 0, total = 1; offset < total; offset += listed) {
    const page = await lab.call('lab.viewers', { stream, offset, limit: listed });
    total = page.total;
    for (const { state, transportCc } of page.viewers) {
      if (state !== 'playing') continue;
      viewers += 1;
      packets += transportCc.packets;
    }
  }
  return { packets, viewers };
}
