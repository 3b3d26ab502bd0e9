import { agentPath } from '../../../scripts/setup/agent.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { withAgent } from '../audience/programs/agent.mjs';
import { pause, until } from '../audience/programs/children.mjs';
import { measure } from '../audience/programs/processes.mjs';
import { losslessPath } from '../accuracy/conditions.mjs';

const stream = 'networks';
const patienceMs = 60_000;
/** IPv4 and UDP headers and the authentication tag of SRTP (AES-GCM), which a viewer's `bytes` do not contain. */
const wireBytesPerPacket = 20 + 8 + 16;

/**
 * Simulated networks and the figure that each should show. The lab does not repair, so every packet that the agent's
 * network drops is lost. Each value is read by a second instrument: the lab's ledger of sent packets, the receiver
 * reports that it gets, and its own round trips from them.
 */
const networks = [
  { name: 'loss 5 %', direction: { lossPercent: 5 }, figure: 'lossPercent', asked: 5, unit: '%' },
  {
    name: 'bursts, p 2 %, r 50 %',
    direction: { burst: { p: 2, r: 50, h: 0, k: 100 } },
    figure: 'lossPercent',
    asked: (100 * 0.02) / 0.52,
    unit: '%',
  },
  { name: 'RTT 100 ms', direction: { delayMs: 50 }, figure: 'roundTripMs', asked: 100, unit: 'ms' },
  { name: 'RTT 300 ms', direction: { delayMs: 150 }, figure: 'roundTripMs', asked: 300, unit: 'ms' },
  {
    name: 'rate 100 kbit/s',
    direction: { rateKbps: 100, queueMs: 300 },
    figure: 'rateKbps',
    asked: 100,
    unit: 'kbit/s',
  },
];

const moving = { delayMs: 45, jitterMs: 15, burst: { p: 1, r: 50, h: 0, k: 100 }, rateKbps: 5100, queueMs: 300 };

/**
 * Simulated networks of the agent: how exact they are with 100 viewers of the lab, and what they cost with 1,000.
 * @param {{ viewers?: number, seconds?: number, log?: (line: string) => void }} [options]
 */
export async function runNetworksBench({ viewers = 100, seconds = 30, log = () => undefined } = {}) {
  return withAgent(agentPath, ['lab', '--exit-when-idle', '--samples', inRoot('assets', 'lab')], (lab) =>
    withAgent(agentPath, ['audience', '--exit-when-idle'], async (audience) => {
      const { whepUrl: url } = await lab.call('lab.publish-sample', { stream, sample: 'sample-240p' });
      const exact = [];
      await lab.call('lab.conditions', { stream, ...losslessPath, noRepair: true });
      for (const network of networks) {
        log(`networks: ${network.name} ...`);
        const shown = await withViewers({ audience, url, viewers, direction: network.direction }, () =>
          figuresOf({ lab, audience }, seconds),
        );
        exact.push({ ...network, measured: shown[network.figure] });
      }
      const cost = {};
      for (const [name, direction] of Object.entries({ without: undefined, with: moving })) {
        log(`networks: 1,000 viewers ${name} a simulated network ...`);
        cost[name] = await withViewers({ audience, url, viewers: 1000, direction }, () =>
          measure(audience, { windows: 3, windowMs: 10_000 }),
        );
      }
      return { viewers, seconds, exact, cost };
    }),
  );
}

async function withViewers({ audience, url, viewers, direction }, use) {
  const job = 'networks';
  const network = direction && {
    steps: [{ afterMs: 0, down: direction, up: { ...direction, rateKbps: undefined } }],
  };
  await audience.call('audience.start', {
    job,
    protocol: 'whep',
    url,
    viewers,
    ratePerSecond: 200,
    holdMs: 0,
    ...(network && { network }),
  });
  await until(() => audience.latest()?.jobs?.[0]?.state === 'holding', 'all viewers', patienceMs);
  await pause(5000);
  const result = await use();
  const { connected } = audience.latest().jobs[0];
  await audience.call('audience.stop', { job });
  await until(() => audience.latest()?.jobs?.every(({ state }) => state === 'ended'), 'the end of the job', patienceMs);
  return { ...result, connected };
}

/** Sums over all viewers in an interval. */
async function figuresOf({ lab, audience }, seconds) {
  const before = await read({ lab, audience });
  await pause(seconds * 1000);
  const after = await read({ lab, audience });
  const change = (key) => after[key] - before[key];
  const wireBytes = change('bytes') + change('packets') * wireBytesPerPacket;
  return {
    lossPercent: (100 * (change('sent') - change('packets'))) / change('sent'),
    roundTripMs: after.roundTripMs,
    rateKbps: (wireBytes * 8) / (after.atMs - before.atMs) / after.viewers,
  };
}

async function read({ lab, audience }) {
  const page = { offset: 0, limit: 1000 };
  const [{ viewers: rows }, { viewers: all }] = await Promise.all([
    audience.call('audience.viewers', { job: 'networks', ...page }),
    lab.call('lab.viewers', { stream, ...page }),
  ]);
  const truths = all.filter(({ state }) => state === 'playing');
  const sum = (list, of) => list.reduce((total, each) => total + of(each), 0);
  return {
    atMs: performance.now(),
    viewers: rows.length,
    packets: sum(rows, (row) => row.packets),
    bytes: sum(rows, (row) => row.bytes),
    sent: sum(truths, ({ video, audio }) => video.sent + audio.sent),
    roundTripMs: sum(truths, ({ videoReport }) => videoReport?.roundTripMs ?? Number.NaN) / truths.length,
  };
}
