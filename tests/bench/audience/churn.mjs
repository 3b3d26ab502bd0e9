import { parseArgs } from 'node:util';
import { SetupProblem, runScript } from '../../../scripts/setup/problem.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { startAgent } from './programs/agent.mjs';
import { programsOf } from './programs/built.mjs';
import { pause, until, withoutLeftovers } from './programs/children.mjs';
import { openFiles, rssMb } from './programs/processes.mjs';
import { verdictOf } from './report/churn.mjs';

const usage = `npm run bench:churn -- [options]: an audience with churn, at the lab on this machine.
  --minutes 30    how long
  --viewers 1000  constant audience size, a multiple of 10
  --every 3       seconds between one tenth that leaves and the next that comes
  --json          results for programs
  --agent PATH    another agent's program`;
const jobs = 10;
const maxMinutes = 24 * 60;
const stream = 'churn';

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      viewers: { type: 'string', default: '1000' },
      every: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      agent: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const minutes = numberOf(values.minutes, 'minutes', 0.5, maxMinutes);
  const viewers = numberOf(values.viewers, 'viewers', jobs, 5000);
  const everySeconds = numberOf(values.every, 'every', 1, 60);
  // The bench's own programs are not needed here.
  const { agent } = await programsOf({ agent: values.agent, programs: 'none' });
  const rows = await withoutLeftovers(() =>
    churn({ agent, minutes, perJob: Math.floor(viewers / jobs), everyMs: everySeconds * 1000 }),
  );
  const verdicts = verdictOf(rows);
  if (values.json) console.log(JSON.stringify({ rows, verdicts }));
  else
    for (const { what, figure, wanted, isGood } of verdicts)
      console.log(`${what}: ${figure} (wanted ${wanted}) ${isGood ? 'ok' : 'missed'}`);
  return verdicts.every(({ isGood }) => isGood) ? 0 : 1;
});

function numberOf(text, option, least, most) {
  const value = Number(text);
  if (!(value >= least && value <= most))
    throw new SetupProblem(`--${option} must be ${least} to ${most}; it is ${text}.`);
  return value;
}

/** Runs it and returns the measurements: `start`, one row for each reading, and `end`. */
async function churn({ agent, minutes, perJob, everyMs }) {
  const lab = await startAgent(agent, ['lab', '--samples', inRoot('assets', 'lab')]);
  const audience = await startAgent(agent, ['audience']);
  const { whepUrl } = await lab.call('lab.publish-sample', { stream, sample: 'sample-240p' });
  await pause(1500); // until both have sent a sample
  const start = await look(lab, audience);
  const running = [];
  let number = 0;
  const comes = async () => {
    number += 1;
    const job = `group-${number}`;
    const ratePerSecond = (perJob / everyMs) * 2000;
    await audience.call('audience.start', {
      job,
      protocol: 'whep',
      url: whepUrl,
      viewers: perJob,
      ratePerSecond,
      holdMs: 0,
    });
    running.push(job);
  };
  const leaves = () => audience.call('audience.stop', { job: running.shift() });

  for (let job = 0; job < jobs; job += 1) await comes();
  await until(() => sum(audience, 'connected') >= perJob * jobs, 'a complete audience', 120_000);
  const rows = [];
  const startedMs = Date.now();
  const endMs = startedMs + minutes * 60_000;
  print(0, start);
  let printedMinutes = 0;
  for (let tick = 1; Date.now() < endMs; tick += 1) {
    await pause(Math.max(0, startedMs + tick * everyMs - Date.now()));
    await leaves();
    await comes();
    const row = { ...(await look(lab, audience)), minute: (Date.now() - startedMs) / 60_000 };
    rows.push(row);
    if (row.minute >= printedMinutes + 1 || Date.now() >= endMs) {
      printedMinutes = Math.floor(row.minute);
      print(row.minute, row);
    }
  }
  while (running.length > 0) await leaves();
  await until(() => sum(audience, 'present') === 0, 'a disconnected audience', 60_000);
  await until(async () => (await sessions(lab)) === 0, 'a lab without sessions', 30_000).catch(() => undefined); // reported by the verdict
  await pause(3000); // until sockets are closed, and one more sample
  const end = await look(lab, audience);
  print(minutes, end);
  await audience.end();
  await lab.end();
  return { start, rows, end, replaced: number - jobs, perJob };
}

/** Over all jobs, including stopping ones. */
function sum(audience, key) {
  return (audience.latest()?.jobs ?? []).reduce((total, job) => total + job[key], 0);
}

async function sessions(lab) {
  const { streams } = await lab.call('lab.streams');
  return streams.reduce((total, each) => total + each.viewers + (each.connecting ?? 0), 0);
}

async function look(lab, audience) {
  const of = (agent) => ({
    rssMb: rssMb(agent.pid),
    openFiles: openFiles(agent.pid),
    goroutines: agent.latest()?.process.goroutines ?? 0,
  });
  return {
    agent: of(audience),
    lab: of(lab),
    sessions: await sessions(lab),
    present: sum(audience, 'present'),
    degraded: sum(audience, 'degraded'),
    failed: sum(audience, 'failed'),
  };
}

function print(minute, { agent, lab, sessions: held, present: there, degraded, failed }) {
  const of = (name, each) =>
    `${name} ${each.rssMb.toFixed(1)} MB, ${each.openFiles} files, ${each.goroutines} goroutines`;
  console.error(
    `${minute.toFixed(1).padStart(5)} min: ${there} there, ${degraded} degraded, ${failed} failed; ${of('agent', agent)}; ${of('lab', lab)}, ${held} sessions`,
  );
}
