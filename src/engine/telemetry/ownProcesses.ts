import { readFileSync, readlinkSync } from 'node:fs';

/** Identifies a machine by its process numbering: one boot, one pid namespace. The same over every connection. */
export function machineKey(bootId: string, pidNamespace: string): string {
  return `${bootId.trim()} ${pidNamespace.trim()}`;
}

/** That of the engine's machine; undefined where it has no /proc. */
export function localMachineKey(): string | undefined {
  try {
    return machineKey(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), readlinkSync('/proc/self/ns/pid'));
  } catch {
    return undefined;
  }
}

/**
 * The processes of the test by machine: servers under test and our agents. Everything else there is other programs:
 * a tester and an origin may be on one machine and be reached in two ways.
 */
export class OwnProcesses {
  private readonly all = new Map<string, { readonly machine: string; readonly pids: readonly number[] | undefined }>();

  private console: { readonly machine: string | undefined; readonly pids: readonly number[] } | undefined;

  /** The processes of this console, which are no other program on its machine, however that is reached. */
  setConsole(machine: string | undefined, pids: readonly number[]): void {
    this.console = { machine, pids };
  }

  consoleOn(machine: string | undefined): readonly number[] {
    return machine !== undefined && this.console?.machine === machine ? this.console.pids : [];
  }

  /** `pids` undefined: something of the test runs there, in unknown processes. */
  set(owner: string, machine: string | undefined, pids: readonly number[] | undefined): void {
    if (machine !== undefined) this.all.set(owner, { machine, pids });
  }

  forget(owner: string): void {
    this.all.delete(owner);
  }

  /** The processes of one owner; undefined where they are unknown. */
  of(owner: string): readonly number[] | undefined {
    return this.all.get(owner)?.pids;
  }

  /** Each once; undefined where they can't be distinguished from other programs. */
  on(machine: string | undefined): readonly number[] | undefined {
    if (machine === undefined) return undefined;
    const here = [...this.all.values()].filter((each) => each.machine === machine);
    const pids = here.map((each) => each.pids);
    return pids.includes(undefined) ? undefined : [...new Set(pids.flatMap((pid) => pid ?? []))];
  }
}
