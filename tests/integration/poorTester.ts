import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAgentBinary } from '../../src/engine/links/localAgent';
import { agentFolder } from './support';
import { later, temporaryFolder } from './undo';

/** A folder of built agents whose audience is poor: `limits` is shell that runs before it, `under` a command that runs it. The lab stays as it is. */
export function poorAgents({
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
 * Keeps one processor so busy, for `seconds` at most, that one more program hardly gets to it. Each loop has a session of its own: the
 * kernel may share a processor out by sessions, where a single loop would leave a half of it whatever its priority.
 */
export function occupy(processor: number, loops: number, seconds: number): void {
  for (let i = 0; i < loops; i += 1) {
    const child = spawn(
      'timeout',
      [String(seconds), 'taskset', '-c', String(processor), 'sh', '-c', 'while :; do :; done'],
      { stdio: 'ignore', detached: true },
    );
    // The group: `timeout` and what it runs.
    later(() => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    });
  }
}
