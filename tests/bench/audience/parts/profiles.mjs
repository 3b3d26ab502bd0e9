import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../../../scripts/setup/command.mjs';
import { withAgent } from '../programs/agent.mjs';
import { pause, startChild } from '../programs/children.mjs';
import { connectOurs, leaveOurs } from './crowds.mjs';

const seconds = 10;
const lines = 10;

/** Where our audience spends its time: the same packages in a program that can be profiled, which the agent can't. */
export function profileOurs(bench, { url, viewers }) {
  return withAgent(bench.programs, ['audience'], async (agent) => {
    bench.log('profile of our viewers ...');
    await connectOurs(agent, { url, viewers });
    await pause(bench.settleMs);
    const top = await profile(bench, agent.child);
    await leaveOurs(agent);
    return { of: 'ours', top };
  });
}

/** Where the plain client spends its. */
export async function profilePlain(bench, { url, viewers }) {
  bench.log('profile of the plain client ...');
  const plain = startChild(bench.programs, ['plain', '--url', url, '--viewers', String(viewers)]);
  try {
    await plain.said('connected', 90_000);
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
    await child.said('profiled', (seconds + 10) * 1000);
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
