import { readFileSync, readlinkSync } from 'node:fs';

/** Names a machine as its processes are numbered on it: one boot, one table of pids. The same for each way that leads there. */
export function machineKey(bootId: string, pidNamespace: string): string {
  return `${bootId.trim()} ${pidNamespace.trim()}`;
}

/** That of the machine that the engine runs on; undefined where it has no /proc. */
export function ourMachineKey(): string | undefined {
  try {
    return machineKey(
      readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlinkSync('/proc/self/ns/pid'),
    );
  } catch {
    return undefined;
  }
}

/**
 * The processes of the test by machine: servers under test and agents of ours. What else runs there is other programs, whoever looks:
 * a tester and an origin may lie on one machine and be reached in two ways.
 */
export class OwnProcesses {
  private readonly all = new Map<
    string,
    { readonly machine: string; readonly pids: readonly number[] | undefined }
  >();

  /** `pids` undefined: something of the test runs there, and nothing tells which processes it is. */
  set(owner: string, machine: string | undefined, pids: readonly number[] | undefined): void {
    if (machine !== undefined) this.all.set(owner, { machine, pids });
  }

  forget(owner: string): void {
    this.all.delete(owner);
  }

  /** Each once; undefined where they can't be told apart from other programs. */
  on(machine: string | undefined): readonly number[] | undefined {
    if (machine === undefined) return undefined;
    const here = [...this.all.values()].filter((each) => each.machine === machine);
    const pids = here.map((each) => each.pids);
    return pids.includes(undefined) ? undefined : [...new Set(pids.flatMap((each) => each ?? []))];
  }
}
