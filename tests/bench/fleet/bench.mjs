import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here('../../../out/fleet-bench');

/**
 * Cost of the engine with 16 nodes at 1 Hz: each a server's API and its host's /proc over a real sshd, two of them dead
 * (one refuses, one never responds). The servers run in a separate process, so that only the engine is measured.
 * @param {{ seconds?: number, profileFolder?: string, log?: (line: string) => void }} [options] `profileFolder` gets a CPU profile.
 */
export async function runFleetBench({ seconds = 60, profileFolder, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const servers = start([join(built, 'servers.js')]);
  try {
    const received = JSON.parse(await firstLine(servers));
    log(`fleet: 16 nodes at 1 Hz for ${seconds} s ...`);
    const profiling = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
    const order = JSON.stringify({ ...received, warmUpSeconds: 10, seconds });
    const figures = JSON.parse(await firstLine(start([...profiling, join(built, 'engine.js'), order])));
    const live = figures.nodes.filter(({ isDead }) => !isDead);
    return {
      ...figures,
      serverSamplesPerSecondLeast: Math.min(...live.map((each) => each.serverSamples)) / figures.seconds,
      hostSamplesPerSecondLeast: Math.min(...live.map((each) => each.hostSamples)) / figures.seconds,
      longestGapMs: Math.max(...live.map((each) => each.longestGapMs)),
    };
  } finally {
    const ended = once(servers, 'close');
    servers.stdin.end();
    await ended;
  }
}

function start(args) {
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('A program of the benchmark ended without output.');
}
