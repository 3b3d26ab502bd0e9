import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAgentBinary } from '../../src/engine/links/localAgent';
import { agentFolder } from './support';
import { later, temporaryFolder } from './undo';

/**
 * A folder of built agents with a limited audience: `limits` is shell code before it, `under` a command that runs it.
 * The lab is unchanged.
 */
export function limitedAgents({
  limits = ':',
  under = '',
  agents = agentFolder,
}: {
  readonly limits?: string;
  readonly under?: string;
  readonly agents?: string;
}): string {
  const folder = temporaryFolder();
  const wrapper = localAgentBinary(folder);
  const agent = `'${localAgentBinary(agents)}'`;
  mkdirSync(join(wrapper, '..'));
  writeFileSync(
    wrapper,
    `#!/bin/sh\n[ "$1" = audience ] || exec ${agent} "$@"\n${limits}\nexec ${under} ${agent} "$@"\n`,
  );
  chmodSync(wrapper, 0o755);
  return folder;
}

/**
 * Saturates one processor for max `seconds`, so that one more program gets hardly any time. Each loop has a separate
 * session: the kernel may divide a processor by session, so a single loop would leave half of it whatever its priority.
 */
export function occupy(processor: number, loops: number, seconds: number): void {
  for (let i = 0; i < loops; i += 1) {
    const child = spawn(
      'timeout',
      [String(seconds), 'taskset', '-c', String(processor), 'sh', '-c', 'while :; do :; done'],
      { stdio: 'ignore', detached: true },
    );
    // The group: `timeout` and its child.
    later(() => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    });
  }
}
