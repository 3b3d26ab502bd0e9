/** What tells one machine from another; each as far as it is known. */
export interface MachineIdentity {
  /** The engine's own name of the host: nodes of one name are reached by one address. */
  readonly host: string;
  /** `/proc/sys/kernel/random/boot_id`: another one on each machine and after each start. */
  readonly bootId?: string;
  /** IP addresses that the node's names lead to. */
  readonly addresses: readonly string[];
}

/** Whether two nodes run on one machine: by boot id where both are known, since an address may lead through a forward to another machine. */
export function isSameMachine(a: MachineIdentity, b: MachineIdentity): boolean {
  if (isSure(a, b)) return a.bootId === b.bootId;
  return a.host === b.host || a.addresses.some((address) => b.addresses.includes(address));
}

/** Whether it was read of both, and not only concluded from their addresses. */
export function isSure(a: MachineIdentity, b: MachineIdentity): boolean {
  return a.bootId !== undefined && b.bootId !== undefined;
}

/** Names of nodes by the machine that they share, in their order. */
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
