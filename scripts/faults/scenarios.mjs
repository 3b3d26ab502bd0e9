import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const stopForMs = 15_000;

/** Debian's faketime sets the clock of Node only; its monotonic clock is unchanged. */
export function faketimeOf(file) {
  const library = ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find(existsSync);
  if (!library) throw new Error('libfaketime is missing; npm test installs it (the package faketime).');
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** Child processes of a process, with their command lines. */
export function childrenOf(pid) {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent !== pid) return [];
      return [{ pid: Number(name), role: readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')[1] }];
    } catch {
      return []; // no process, or one that just ended
    }
  });
}

async function stopFor(pid) {
  process.kill(pid, 'SIGSTOP');
  await sleep(stopForMs);
  process.kill(pid, 'SIGCONT');
}

const setClock =
  (seconds) =>
  ({ engineClock, agentClock }) => {
    writeFileSync(agentClock, `${seconds}\n`);
    writeFileSync(engineClock, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  };

/** Faults by name, applied 5 s after all viewers have connected. */
export const scenarios = {
  'clock -1 h': setClock(-3600),
  'clock -10 s': setClock(-10),
  'clock +10 s': setClock(10),
  'clock +1 h': setClock(3600),
  'lab stopped 15 s': ({ agents }) => stopFor(agents.find(({ role }) => role === 'lab').pid),
  'console stopped 15 s': ({ console }) => stopFor(console),
  'console killed': ({ console }) => process.kill(console, 'SIGKILL'),
};
