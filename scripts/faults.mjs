/**
 * Runs 300 viewers of the lab through faults of the machine: `npm run faults [-- NAME ...]`. It prints
 * for each fault the lost data, leftovers, the verdict and its sentence. Linux only; the clock of engine and
 * agents is set for these processes only.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, faketimeOf, scenarios } from './faults/scenarios.mjs';
import { buildSteppedAgent } from './faults/steppedAgent.mjs';
import { ensureReady } from './setup.mjs';
import { run } from './setup/command.mjs';
import { inRoot } from './setup/paths.mjs';

const plan = `name: Fault
nodes:
  origin: { server: lab }
  audience: { tester: local }
publish:
  - { stream: cam, node: origin, source: sample-240p }
pull: { stream: cam, from: origin, by: [audience], viewers: 300, rate: 100/s, hold: 30s }
expect: { connected: ">= 100%", cpu: "<= 100%", gcPause: "<= 1s" }
`;
/** Upper limit for a run with any fault. */
const longestMs = 180_000;
/** After this the agents of a killed console must have exited. */
const aloneMs = 30_000;

/** The clone's command line with agents whose clock can be set. */
async function installation(folder) {
  const program = join(folder, 'build', 'agents', `${process.platform}-${process.arch}`, 'fullhouse-agent');
  mkdirSync(dirname(program), { recursive: true });
  await buildSteppedAgent(program);
  cpSync(inRoot('out', 'cli'), join(folder, 'out', 'cli'), { recursive: true });
  for (const part of ['node_modules', 'assets', 'package.json']) symlinkSync(inRoot(part), join(folder, part));
  return join(folder, 'out', 'cli', 'index.js');
}

async function until(check, limitMs) {
  const endMs = performance.now() + limitMs;
  while (!check() && performance.now() < endMs) await sleep(100);
}

/** Seconds without a sample of the audience, and samples out of order. */
async function lostSamples(cli, folder) {
  const file = readdirSync(folder).find((name) => name.endsWith('.fullhouse'));
  const csv = join(folder, 'samples.csv');
  await run(process.execPath, [cli, 'report', join(folder, file), '--format', 'csv', '--out', csv]);
  const times = readFileSync(csv, 'utf8')
    .split('\n')
    .filter((line) => line.includes(',audience,viewersConnected,'))
    .map((line) => Date.parse(line.split(',')[0]));
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  const missing = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / 1000) - 1), 0);
  const disordered = gaps.filter((gap) => gap <= 0).length;
  return `${missing} of ${times.length + missing} samples of the audience lost, ${disordered} out of order`;
}

async function faultRun(cli, name, fault) {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-fault-'));
  const paths = { engineClock: join(folder, 'engine'), agentClock: join(folder, 'agents') };
  writeFileSync(join(folder, 'plan.yaml'), plan);
  writeFileSync(paths.engineClock, '+0\n');
  writeFileSync(paths.agentClock, '0\n');
  const child = spawn(process.execPath, [cli, 'run', join(folder, 'plan.yaml'), '--out', folder, '--json'], {
    env: { ...process.env, FULLHOUSE_TEST_CLOCK: paths.agentClock, ...faketimeOf(paths.engineClock) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let ended;
  child.stderr.on('data', (data) => (output += data));
  child.stdout.resume();
  child.once('exit', (code, signal) => (ended = { code, signal }));
  let agents = [];
  try {
    await until(() => output.includes('All 300 viewers connected') || ended, longestMs);
    await sleep(5000);
    agents = childrenOf(child.pid);
    await fault({ ...paths, agents, console: child.pid });
    await until(() => ended, longestMs);
    await until(() => agents.every(({ pid }) => !isThere(pid)), aloneMs);
    const left = agents.filter(({ pid }) => isThere(pid)).map(({ role }) => role);
    const lines = output
      .split('\n')
      .filter((line) => / (run|audience|origin): .*(clock|console|PASS|FAIL|INCONCLUSIVE|ended)/i.test(line));
    process.stdout.write(
      [
        `## ${name}`,
        `exit ${ended?.signal ?? ended?.code ?? 'none'}; ${await lostSamples(cli, folder)}`,
        `leftovers: ${left.join(', ') || 'nothing'}`,
        ...lines,
        '',
        '',
      ].join('\n'),
    );
  } finally {
    for (const pid of [child.pid, ...agents.map((agent) => agent.pid)]) if (isThere(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function isThere(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const wanted = process.argv.slice(2);
await ensureReady(['agent', 'cli']);
const folder = mkdtempSync(join(tmpdir(), 'fullhouse-faults-'));
try {
  const cli = await installation(folder);
  for (const [name, fault] of Object.entries(scenarios))
    if (wanted.length === 0 || wanted.includes(name)) await faultRun(cli, name, fault);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
