import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../../../scripts/setup/command.mjs';
import { withAgent } from '../programs/agent.mjs';
import { pause, startChild } from '../programs/children.mjs';
import { connectAgent, disconnectAgent } from './audiences.mjs';

const seconds = 10;
const lines = 10;

/** CPU profile of the audience: the same packages in a program with profiling, which the agent lacks. */
export function profileAgent(bench, { url, viewers }) {
  return withAgent(bench.programs, ['audience'], async (agent) => {
    bench.log('profile of the agent ...');
    await connectAgent(agent, { url, viewers });
    await pause(bench.settleMs);
    const top = await profile(bench, agent.child);
    await disconnectAgent(agent);
    return { of: 'agent', top };
  });
}

/** CPU profile of the plain client. */
export async function profilePlain(bench, { url, viewers }) {
  bench.log('profile of the plain client ...');
  const plain = startChild(bench.programs, ['plain', '--url', url, '--viewers', String(viewers)]);
  try {
    await plain.received('connected', 90_000);
    await pause(bench.settleMs);
    return { of: 'plain client', top: await profile(bench, plain) };
  } finally {
    await plain.end();
  }
}

async function profile(bench, child) {
  const path = join(tmpdir(), `fullhouse-bench-${process.pid}-${child.pid}.pprof`);
  child.order(`profile ${seconds} ${path}`);
  try {
    await child.received('profiled', (seconds + 10) * 1000);
    const { stdout } = await mustRun(
      'Reading the profile',
      'go',
      ['tool', 'pprof', '-top', `-nodecount=${lines}`, bench.programs, path],
      {
        timeoutMs: 60_000,
      },
    );
    return stdout.trim();
  } finally {
    rmSync(path, { force: true });
  }
}
