import { AgentRefusal, startAgent } from '../programs/agent.mjs';
import { pause, startChild, until } from '../programs/children.mjs';
import { measure } from '../programs/processes.mjs';
import { spreadOf } from '../report/spread.mjs';

/** At full speed: the rate is far above any origin's capacity, with 32 concurrent handshakes. */
const ratePerSecond = 10_000;
export const parallel = 32;
const connectLimitMs = 90_000;
const listed = 1000;
const job = 'bench';

/** Measurements of any group: its process, and its samples per second. */
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

/** Connects the agent's viewers, and returns the time until the last had its first packet. */
export async function connectAgent(agent, { protocol = 'whep', url, viewers, more = {} }) {
  const startedMs = Date.now();
  await agent.call('audience.start', {
    ...{ job, protocol, url, viewers, ratePerSecond, holdMs: 0, parallel },
    ...more,
  });
  const now = () => agent.latest()?.jobs.find((each) => each.job === job);
  const first = agent.samples.length;
  const isThere = () => agent.samples.length > first && (now()?.connected ?? 0) + (now()?.failed ?? 0) >= viewers;
  await until(isThere, `${viewers} connected viewers`, connectLimitMs);
  const { failed, failures } = now();
  if (failed > 0)
    throw new Error(`${failed} of ${viewers} viewers failed: ${failures[0]?.example.detail ?? 'unknown reason'}`);
  let lastMs = 0;
  for (let offset = 0; offset < viewers; offset += listed) {
    const page = await agent.call('audience.viewers', { job, offset, limit: listed });
    for (const { arrivedMs, connectMs } of page.viewers) lastMs = Math.max(lastMs, arrivedMs + connectMs);
  }
  return { connectMs: lastMs - startedMs };
}

/** Disconnects the agent's viewers and waits until none is left. */
export async function disconnectAgent(agent) {
  await agent.call('audience.stop', { job });
  await until(() => agent.events.some(({ name }) => name === 'job-ended'), "the end of the agent's viewers", 30_000);
}

/**
 * The agent with this number of viewers: connected, settled, measured, disconnected.
 * @param {object} bench see `main.mjs`
 * @param {{ protocol?: string, url: string, viewers: number, more?: object, windows?: number, alsoAsk?: () => Promise<object> }} group
 *   `alsoAsk` is called while all are still connected.
 */
export async function measureAgent(bench, group) {
  const agent = await startAgent(bench.agent, ['audience']);
  try {
    const { connectMs } = await connectAgent(agent, group);
    await pause(bench.settleMs);
    const figures = await measure(subjectOf(agent), {
      windows: group.windows ?? bench.windows,
      windowMs: bench.windowMs,
    });
    const { jobs, process } = agent.latest();
    const more = await group.alsoAsk?.();
    await disconnectAgent(agent);
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

/** Time to connect the agent's viewers, each time with a new agent. */
export async function measureArrival(bench, { url, viewers, times }) {
  const all = [];
  for (let time = 0; time < times; time += 1) {
    const agent = await startAgent(bench.agent, ['audience']);
    try {
      all.push((await connectAgent(agent, { url, viewers })).connectMs);
      await disconnectAgent(agent);
    } finally {
      await agent.end();
    }
  }
  return spreadOf(all);
}

/** Why a part cannot be measured with this agent: it refuses an unknown option. Other errors are thrown. */
export function reasonItIsMissing(error) {
  if (error instanceof AgentRefusal && ['bad-request', 'unknown-call'].includes(error.code)) return error.message;
  throw error;
}

/** A program of the bench that prints its receive rate each second. */
export function startReceiver(bench, args) {
  const samples = [];
  const child = startChild(bench.programs, args, {
    onLine: (message) => {
      if (message.type === 'sample') samples.push({ atMs: performance.now(), ...message });
    },
  });
  return { child, pid: child.pid, samples };
}

/**
 * The plain client (`role` is plain or plain-rtmp) with this number of viewers: connected, settled, measured,
 * disconnected.
 */
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
    const { connected, failed, tookMs, problem } = await plain.child.received('connected', connectLimitMs);
    if (failed > 0) throw new Error(`${failed} of ${connected + failed} plain viewers failed: ${problem}`);
    await pause(bench.settleMs);
    return { ...(await measure(plain, bench)), connectMs: tookMs };
  } finally {
    await plain.child.end();
  }
}
