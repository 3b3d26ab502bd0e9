import { measure } from '../programs/processes.mjs';
import { pause } from '../programs/children.mjs';
import { measureAgent, startReceiver } from './audiences.mjs';

const growingViewers = [500, 1000, 2000, 3000];
const windowsOfGrowth = 2;
/** Receive-only sockets wait only for the sender to settle. */
const maxFloorSettleMs = 2000;
/** Connection setup is not measured here, and thousands connect to an origin that is busy with existing viewers. */
const unhurried = { ratePerSecond: 400, stageTimeoutMs: 15_000 };

/** Number of viewers by part: of the agent, and of receive-only sockets. */
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
 * Viewers of a minimal origin, limited only by the machine: the agent's cost by size, compared with the kernel's own
 * cost.
 * @param {object} bench see `main.mjs`
 * @param {(part: string) => boolean} isWanted
 */
export async function measureBare(bench, isWanted) {
  const { log } = bench;
  const counts = countsOf(isWanted, bench.viewers / 1000);
  const origin = startReceiver(bench, ['origin']);
  try {
    const { http } = await origin.child.received('ready');
    const results = { ours: [], floor: [], most: counts.most, thousand: counts.thousand };
    for (const viewers of counts.ours) {
      log(`${viewers} viewers of a minimal origin ...`);
      const windows = viewers === counts.most ? bench.windows : Math.min(bench.windows, windowsOfGrowth);
      const figures = await measureAgent(bench, {
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
      log(`receive-only: ${viewers} sockets, polled ...`);
      results.floor.push(await floor(viewers, 'each'));
    }
    if (isWanted('h')) {
      log('receive-only: one socket for all ...');
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
    await receiver.child.received('ready');
    await pause(Math.min(bench.settleMs, maxFloorSettleMs));
    return await measure(receiver, {
      windows: Math.min(bench.windows, windowsOfGrowth),
      windowMs: bench.windowMs,
    });
  } finally {
    await receiver.child.end();
  }
}

/** Max delay of the origin in its latest seconds: more than a few ticks means that the origin is the bottleneck. */
function originDuring({ samples }) {
  return { latestMs: Math.max(...samples.slice(-10).map((each) => each.latestMs)) };
}
