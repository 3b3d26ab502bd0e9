import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here('../../../out/group-bench');
const root = here('../../..');

/**
 * Cost of the engine during a run whose tester is a group: 50 agents of this machine with 2 viewers each, and 200
 * simulated ones with 500 viewers each. The members run in a separate process, so that only the engine is measured.
 * @param {{ seconds?: number, profileFolder?: string, log?: (line: string) => void }} [options] `profileFolder` gets a CPU profile.
 */
export async function runGroupBench({ seconds = 60, profileFolder, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const measure = async (size, viewersEach, isSimulated) => {
    const agents = {
      agents: { agentFolder: join(root, 'build', 'agents'), samplesFolder: join(root, 'assets', 'lab') },
    };
    const order = { size, ...(isSimulated ? {} : agents) };
    const members = start([join(built, 'members.js'), JSON.stringify(order)]);
    try {
      const addresses = JSON.parse(await firstLine(members));
      log(`group: ${size} ${isSimulated ? 'simulated ' : ''}members at 1 Hz for ${seconds} s ...`);
      const profiling = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
      const engineOrder = { members: addresses, viewersEach, isSimulated, warmUpSeconds: 5, seconds };
      return JSON.parse(await firstLine(start([...profiling, join(built, 'engine.js'), JSON.stringify(engineOrder)])));
    } finally {
      const ended = once(members, 'close');
      members.stdin.end();
      await ended;
    }
  };
  return { real: await measure(50, 2, false), simulated: await measure(200, 500, true) };
}

function start(args) {
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: root });
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('A program of the benchmark ended without output.');
}
