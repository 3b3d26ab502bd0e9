import { readFile } from 'node:fs/promises';
import { readAllProcesses } from '../telemetry/localProcesses';
import type { OwnProcesses } from '../telemetry/ownProcesses';
import { pickProcesses, type ProcessCandidate } from '../telemetry/proc/processPick';
import type { ProcessStat } from '../telemetry/procParse';

/** Listing all processes costs some milliseconds. */
const checkEveryMs = 10_000;

/** A server under test on this machine of which only the address is known. */
export interface LocalServer {
  readonly id: string;
  /** Its process name as shown by ps; undefined where unknown. */
  readonly process: string | undefined;
}

/**
 * Finds the processes of servers under test on the console's own machine. Without that they would count as other
 * programs.
 */
export class LocalServers {
  private probedMs = -Infinity;
  private known: readonly string[] = [];

  constructor(
    private readonly own: OwnProcesses,
    private readonly machine: string | undefined,
  ) {}

  /** To be called once a second with the current ones. Never rejects. */
  async tick(nowMs: number, servers: readonly LocalServer[]): Promise<void> {
    const owners = servers.map(({ id }) => `server ${id}`);
    for (const gone of this.known.filter((owner) => !owners.includes(owner))) this.own.forget(gone);
    const isNew = owners.some((owner) => !this.known.includes(owner));
    this.known = owners;
    if (servers.length === 0 || (!isNew && nowMs - this.probedMs < checkEveryMs)) return;
    this.probedMs = nowMs;
    const all = await readAllProcesses().catch(() => []);
    for (const { id, process } of servers) {
      const pids = process === undefined ? [] : await pidsOf(process, all);
      // A server that is not found may be any of them.
      this.own.set(`server ${id}`, this.machine, pids.length > 0 ? pids : undefined);
    }
  }
}

async function pidsOf(name: string, all: readonly ProcessStat[]): Promise<readonly number[]> {
  const called = pickProcesses(
    name,
    all.map(({ pid, name: comm }) => ({ pid, comm, args: [] })),
  );
  if (called.length > 0) return called;
  const candidates = await Promise.all(
    all.map(async ({ pid, name: comm }): Promise<ProcessCandidate> => {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid, comm, args: words.split('\0').filter(Boolean) };
    }),
  );
  return pickProcesses(name, candidates);
}
