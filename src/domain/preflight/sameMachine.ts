/** What identifies a machine; each as far as it is known. */
export interface MachineIdentity {
  /** The engine's name of the host: nodes of one name share an address. */
  readonly host: string;
  /** `/proc/sys/kernel/random/boot_id`: differs on each machine and after each boot. */
  readonly bootId?: string;
  /** IP addresses that the node's names resolve to. */
  readonly addresses: readonly string[];
}

/**
 * Whether two nodes run on one machine: by boot id if both are known, since an address may be forwarded to another
 * machine.
 */
export function isSameMachine(a: MachineIdentity, b: MachineIdentity): boolean {
  if (isCertain(a, b)) return a.bootId === b.bootId;
  return a.host === b.host || a.addresses.some((address) => b.addresses.includes(address));
}

/** Whether it was read from both, not only concluded from their addresses. */
export function isCertain(a: MachineIdentity, b: MachineIdentity): boolean {
  return a.bootId !== undefined && b.bootId !== undefined;
}

/** Names of nodes by shared machine, in their order. */
export function machinesOf(nodes: ReadonlyMap<string, MachineIdentity>): readonly (readonly string[])[] {
  const machines: string[][] = [];
  for (const [name, identity] of nodes) {
    const shared = machines.find((names) =>
      names.some((other) => {
        const known = nodes.get(other);
        return known !== undefined && isSameMachine(known, identity);
      }),
    );
    if (shared) shared.push(name);
    else machines.push([name]);
  }
  return machines;
}
