import { measure } from '../programs/processes.mjs';
import { pause } from '../programs/children.mjs';
import { measureOurs, startReceiver } from './crowds.mjs';

const growingViewers = [500, 1000, 2000, 3000];
const windowsOfGrowth = 2;
/** Sockets that only receive have nothing to settle but the sender. */
const mostFloorSettleMs = 2000;
/** How they come is not what is measured here, and thousands come to an origin that is busy with those who are there. */
const unhurried = { ratePerSecond: 400, stageTimeoutMs: 15_000 };

/** How many viewers each part wants: of ours, and of sockets that only receive. */
export function countsOf(isWanted, scale = 1) {
  const [, thousand, , most] = growingViewers;
  const ours = growingViewers.filter(
    (count) => isWanted('g') || (isWanted('e') && count === most) || (isWanted('h') && count === thousand),
  );
  const floors = growingViewers.filter((count) => isWanted('g') || (isWanted('h') && count === thousand));
  const scaled = (counts) => counts.map((count) => Math.max(1, Math.round(count * scale)));
  return {
    ours: scaled(ours),
    floors: scaled(floors),
    most: scaled([most])[0],
    thousand: scaled([thousand])[0],
  };
}

/**
 * Viewers of a bare origin, which nothing but the machine bounds: how our cost grows, beside what the kernel alone costs.
 * @param {object} bench see `main.mjs`
 * @param {(part: string) => boolean} isWanted
 */
export async function measureBare(bench, isWanted) {
  const { log } = bench;
  const counts = countsOf(isWanted, bench.viewers / 1000);
  const origin = startReceiver(bench, ['origin']);
  try {
    const { http } = await origin.child.said('ready');
    const results = { ours: [], floor: [], most: counts.most, thousand: counts.thousand };
    for (const viewers of counts.ours) {
      log(`${viewers} viewers of a bare origin ...`);
      const windows = viewers === counts.most ? bench.windows : Math.min(bench.windows, windowsOfGrowth);
      const figures = await measureOurs(bench, {
        url: `http://${http}/whep/live`,
        viewers,
        windows,
        more: unhurried,
      });
      results.ours.push({ viewers, ...figures, origin: originDuring(origin) });
    }
    const floor = async (viewers, sockets) => ({
      viewers,
      ...(await measureFloor(bench, { http, viewers, sockets })),
      origin: originDuring(origin),
    });
    for (const viewers of counts.floors) {
      log(`the floor: ${viewers} sockets on a beat ...`);
      results.floor.push(await floor(viewers, 'each'));
    }
    if (isWanted('h')) {
      log('the floor: one socket for all ...');
      results.oneSocket = await floor(counts.thousand, 'one');
    }
    return results;
  } finally {
    await origin.child.end();
  }
}

async function measureFloor(bench, { http, viewers, sockets }) {
  const args = ['--origin', `http://${http}`, '--viewers', String(viewers), '--sockets', sockets];
  const receiver = startReceiver(bench, ['floor', ...args]);
  try {
    await receiver.child.said('ready');
    await pause(Math.min(bench.settleMs, mostFloorSettleMs));
    return await measure(receiver, {
      windows: Math.min(bench.windows, windowsOfGrowth),
      windowMs: bench.windowMs,
    });
  } finally {
    await receiver.child.end();
  }
}

/** How late the origin was at most in its latest seconds: much more than a few beats, and it is the origin that is measured. */
function originDuring({ samples }) {
  return { latestMs: Math.max(...samples.slice(-10).map((each) => each.latestMs)) };
}
