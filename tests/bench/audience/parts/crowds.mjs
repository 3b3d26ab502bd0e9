import { AgentRefusal, startAgent } from '../programs/agent.mjs';
import { pause, startChild, until } from '../programs/children.mjs';
import { measure } from '../programs/processes.mjs';
import { spreadOf } from '../report/spread.mjs';

/** As fast as they can: the rate is far above what any origin takes, 32 handshakes are under way at once. */
const ratePerSecond = 10_000;
export const parallel = 32;
const connectLimitMs = 90_000;
const listed = 1000;
const job = 'bench';

/** What is measured of whichever crowd: its process, and what its samples tell of a second. */
const subjectOf = (agent) => ({
  pid: agent.pid,
  get samples() {
    return agent.samples.map(({ atMs, jobs }) => ({
      atMs,
      packetsPerSecond: jobs.reduce((sum, each) => sum + each.packetsPerSecond, 0),
      kbps: jobs.reduce((sum, each) => sum + each.bitrateKbps, 0),
    }));
  },
});

/** Lets our viewers come, and tells how long it took until the last had its first packet. */
export async function connectOurs(agent, { protocol = 'whep', url, viewers, more = {} }) {
  const startedMs = Date.now();
  await agent.call('audience.start', {
    ...{ job, protocol, url, viewers, ratePerSecond, holdMs: 0, parallel },
    ...more,
  });
  const now = () => agent.latest()?.jobs.find((each) => each.job === job);
  const first = agent.samples.length;
  const isThere = () =>
    agent.samples.length > first && (now()?.connected ?? 0) + (now()?.failed ?? 0) >= viewers;
  await until(isThere, `${viewers} connected viewers`, connectLimitMs);
  const { failed, failures } = now();
  if (failed > 0)
    throw new Error(
      `${failed} of ${viewers} viewers failed: ${failures[0]?.example.detail ?? 'no reason told'}`,
    );
  let lastMs = 0;
  for (let offset = 0; offset < viewers; offset += listed) {
    const page = await agent.call('audience.viewers', { job, offset, limit: listed });
    for (const { arrivedMs, connectMs } of page.viewers) lastMs = Math.max(lastMs, arrivedMs + connectMs);
  }
  return { connectMs: lastMs - startedMs };
}

/** Sends our viewers home and waits until none is left. */
export async function leaveOurs(agent) {
  await agent.call('audience.stop', { job });
  await until(() => agent.events.some(({ name }) => name === 'job-ended'), 'the end of our viewers', 30_000);
}

/**
 * Our agent with so many viewers: connected, settled, measured, gone again.
 * @param {object} bench see `main.mjs`
 * @param {{ protocol?: string, url: string, viewers: number, more?: object, windows?: number, alsoAsk?: () => Promise<object> }} crowd
 *   `alsoAsk` is asked while they are all still there.
 */
export async function measureOurs(bench, crowd) {
  const agent = await startAgent(bench.agent, ['audience']);
  try {
    const { connectMs } = await connectOurs(agent, crowd);
    await pause(bench.settleMs);
    const figures = await measure(subjectOf(agent), {
      windows: crowd.windows ?? bench.windows,
      windowMs: bench.windowMs,
    });
    const { jobs, process } = agent.latest();
    const more = await crowd.alsoAsk?.();
    await leaveOurs(agent);
    return {
      ...figures,
      ...more,
      connectMs,
      degraded: jobs[0].degraded,
      lossPercent: jobs[0].lossPercent,
      goroutines: process.goroutines,
    };
  } finally {
    await agent.end();
  }
}

/** How long our viewers take to come, each time with a fresh agent. */
export async function measureArrival(bench, { url, viewers, times }) {
  const all = [];
  for (let time = 0; time < times; time += 1) {
    const agent = await startAgent(bench.agent, ['audience']);
    try {
      all.push((await connectOurs(agent, { url, viewers })).connectMs);
      await leaveOurs(agent);
    } finally {
      await agent.end();
    }
  }
  return spreadOf(all);
}

/** Why a part can't be measured with this agent: it refuses an option that it does not know yet. Other errors go on. */
export function reasonItIsMissing(error) {
  if (error instanceof AgentRefusal && ['bad-request', 'unknown-call'].includes(error.code))
    return error.message;
  throw error;
}

/** A program of the bench that says what it receives each second. */
export function startReceiver(bench, args) {
  const samples = [];
  const child = startChild(bench.programs, args, {
    onLine: (message) => {
      if (message.type === 'sample') samples.push({ atMs: performance.now(), ...message });
    },
  });
  return { child, pid: child.pid, samples };
}

/** The plain client (`role` is plain or plain-rtmp) with so many viewers: connected, settled, measured, gone again. */
export async function measurePlain(bench, role, { url, viewers }) {
  const plain = startReceiver(bench, [
    role,
    '--url',
    url,
    '--viewers',
    String(viewers),
    '--parallel',
    String(parallel),
  ]);
  try {
    const { connected, failed, tookMs, problem } = await plain.child.said('connected', connectLimitMs);
    if (failed > 0) throw new Error(`${failed} of ${connected + failed} plain viewers failed: ${problem}`);
    await pause(bench.settleMs);
    return { ...(await measure(plain, bench)), connectMs: tookMs };
  } finally {
    await plain.child.end();
  }
}
