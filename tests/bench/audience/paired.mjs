import { parseArgs } from 'node:util';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { runScript, SetupProblem } from '../../../scripts/setup/problem.mjs';
import { startAgent } from './programs/agent.mjs';
import { programsOf } from './programs/built.mjs';
import { pause, until, withoutLeftovers } from './programs/children.mjs';
import { measure } from './programs/processes.mjs';

const usage = `npm run bench:paired -- --other PATH [options]: CPU of this build's agent relative to another build's.
  Both run viewers of one lab at the same time, so that other load of the machine affects both.
  --other PATH    the other agent's program
  --protocol N    the version of its protocol, if it differs from this build's
  --rounds 8      the agents start in turns: the one that is started first costs slightly more
  --viewers 1000  of each agent`;

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      other: { type: 'string' },
      protocol: { type: 'string' },
      rounds: { type: 'string', default: '8' },
      viewers: { type: 'string', default: '1000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.other === undefined) throw new SetupProblem(`--other is missing.\n${usage}`);
  const { agent } = await programsOf({ programs: 'none' });
  const viewers = Number(values.viewers);
  const pairs = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = round % 2 === 0 ? [agent, values.other] : [values.other, agent];
    const costs = await withoutLeftovers(() => compare(agent, order, viewers, values.protocol));
    const [own, other] = [costs.get(agent), costs.get(values.other)];
    pairs.push({ own, other });
    console.log(`round ${round + 1}: ${own.toFixed(2)} % of a core, other ${other.toFixed(2)} %`);
  }
  const sum = (key) => pairs.reduce((total, pair) => total + pair[key], 0);
  console.log(`relative to the other: ${(100 * (sum('own') / sum('other') - 1)).toFixed(1)} %`);
  return 0;
});

/** Median CPU of each program while all of its viewers are connected. */
async function compare(labProgram, order, viewers, otherProtocol) {
  const started = [];
  const start = async (...args) => {
    started.push(await startAgent(...args));
    return started.at(-1);
  };
  try {
    const lab = await start(labProgram, ['lab', '--http', '127.0.0.1:0', '--samples', inRoot('assets', 'lab')]);
    await lab.call('lab.publish-sample', { stream: 'cam', sample: 'sample-240p' });
    const audiences = [];
    for (const program of order) {
      const protocol = program === labProgram || otherProtocol === undefined ? undefined : Number(otherProtocol);
      audiences.push([program, await start(program, ['audience'], protocol)]);
    }
    const url = `http://${lab.http}/whep/cam`;
    for (const [, { call }] of audiences)
      await call('audience.start', { job: 'paired', protocol: 'whep', url, viewers, ratePerSecond: 200, holdMs: 0 });
    const areConnected = () => audiences.every(([, each]) => each.latest()?.jobs[0]?.connected === viewers);
    await until(areConnected, `${viewers} connected viewers of each agent`, 60_000);
    await pause(5000);
    const measured = await Promise.all(audiences.map(([, each]) => measure(each, { windows: 12, windowMs: 5000 })));
    return new Map(order.map((program, place) => [program, measured[place].cpuPercent.median]));
  } finally {
    for (const each of started.reverse()) await each.end();
  }
}
