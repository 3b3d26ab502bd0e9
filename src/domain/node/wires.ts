/** What a source reports about a network interface; what it does not report is absent. */
export interface InterfaceFacts {
  /** A default route, IPv4 or IPv6, leads there. */
  readonly hasDefaultRoute?: boolean;
  /** A route through a gateway leads there. */
  readonly hasGateway?: boolean;
  /** Any route leads there. */
  readonly hasRoute?: boolean;
  /** The bond, bridge or synthetic interface that it is part of. */
  readonly master?: string;
  /** Interfaces that it is stacked on: of a VLAN, a macvlan, a bridge or a bond. */
  readonly lowers?: readonly string[];
  /** It is a device of the machine, or of its virtual one. */
  readonly isHardware?: boolean;
  readonly kind?: InterfaceKind;
  /** MAC address; absent if it has none. */
  readonly address?: string;
  /** Speed of the link, where it is that of hardware. */
  readonly speedMbps?: number;
  readonly isDown?: boolean;
}

export type InterfaceKind = 'loopback' | 'bridge' | 'bond' | 'tunnel' | 'ppp' | 'virtual';

/** The interfaces of a host by name. */
export type NetworkStructure = ReadonlyMap<string, InterfaceFacts>;

const loopback = /^(lo\d*|Loopback.*)$/i;
const bonds = /^(bond|team|lagg|trunk)\d/;
const tunnels =
  /^(tun|tap|utun|wg|wt|tailscale|zt|nebula|ipsec|vti|xfrm|gre|gretap|erspan|ip6|ipip|tunl|sit|gif|stf|6to4|isatap|teredo|he-ipv6|geneve|genev_sys|vxlan|l2tp|ppp)/i;
/** Interfaces whose traffic also counts at another one, where only names are known. A dot is that of a VLAN. */
const stacked = new RegExp(
  [
    '^(veth|docker|br-|br\\d|vmbr|virbr|lxdbr|lxcbr|lxc|incusbr|podman|cni|nerdctl|hassio|bridge\\d|vswitch|vEthernet',
    'flannel|cali|cilium|weave|vethwe|datapath|kube|nodelocaldns|eni[0-9a-f]{6}|azv|gke|dummy|ifb|nlmon',
    'ovs-|br-int|ovn|macvlan|macvtap|mvl|ipvlan|ipvtap|vlan\\d|vnet|vmnet|fwbr|fwpr|fwln|tap|epair|vether',
    'awdl|llw|anpi|ap\\d|pflog|pfsync|enc\\d|usbmon)',
  ].join('|') +
    '|^\\S+\\.\\d+$|@|Filter-\\d|(WFP|QoS|Npcap|Virtual (Switch|Miniport|Ethernet|Host)|Host-Only|Pseudo|WAN Miniport|Kernel Debug)',
  'i',
);

/**
 * The interfaces whose traffic is that of a host, each wire once: those of its default routes, each followed down to
 * the interface that has the wire. What only forwards the traffic of another one (a bridge, its ends, a VLAN, a tunnel)
 * does not count beside it. `bytes` is what each has carried so far.
 *
 * - Hardware counts itself. A synthetic interface with a hardware one below it (Azure's accelerated networking) counts
 *   for both, and a bond counts for its slaves: their counters are sums.
 * - A bridge counts by its ports that lead to hardware, a VLAN or macvlan by the interface below.
 * - A tunnel counts by the interface of the route that its packets take: another one through a gateway.
 * - Where what lies below is not reported (exporters), interfaces of one MAC address are one wire: the one that carried
 *   most includes the others.
 * - Without a default route hardware with a route counts, and without hardware every interface with a route.
 * - Where nothing but names is known, names of stacked interfaces are left out.
 */
export function wiresOf(
  names: readonly string[],
  structure: NetworkStructure = new Map(),
  bytes: (name: string) => number = () => 0,
): string[] {
  const facts = (name: string): InterfaceFacts => structure.get(name) ?? {};
  const isLoopback = (name: string): boolean => facts(name).kind === 'loopback' || loopback.test(name);
  const outer = names.filter((name) => !isLoopback(name));
  const wires = new Wires(new Set(outer), facts, bytes);
  const byRoute = outer.filter((name) => facts(name).hasDefaultRoute);
  const found = unique(byRoute.flatMap((name) => wires.below(name)));
  if (found.length > 0) return found;

  const hasRoutes = outer.some((name) => facts(name).hasRoute);
  const hardware = outer.filter((name) => facts(name).isHardware && facts(name).isDown !== true);
  const routed = hardware.filter((name) => wires.isRouted(name));
  if (hardware.length > 0) return unique((routed.length > 0 ? routed : hardware).flatMap((name) => wires.above(name)));
  if (hasRoutes) {
    const withRoute = outer.filter((name) => facts(name).hasRoute && !stacked.test(name));
    const any = withRoute.length > 0 ? withRoute : outer.filter((name) => facts(name).hasRoute);
    return unique(any.flatMap((name) => wires.below(name)));
  }
  const hasAddresses = outer.some((name) => facts(name).address !== undefined);
  const plain = outer.filter(
    (name) => !stacked.test(name) && !tunnels.test(name) && (hasAddresses || !bonds.test(name)),
  );
  return unique((plain.length > 0 ? plain : outer).flatMap((name) => wires.ofAddress(name)));
}

class Wires {
  constructor(
    private readonly names: ReadonlySet<string>,
    private readonly facts: (name: string) => InterfaceFacts,
    private readonly bytes: (name: string) => number,
  ) {}

  /** The interfaces that have the wire of this one. */
  below(name: string, passed: ReadonlySet<string> = new Set()): string[] {
    if (passed.has(name)) return [];
    const here = new Set([...passed, name]);
    const { isHardware, master, lowers = [] } = this.facts(name);
    if (isHardware) return master !== undefined && this.facts(master).isHardware ? [master] : [name];
    if (this.isBond(name)) return [name];
    if (this.isTunnel(name)) return this.carriers(name, here);
    const ports = this.portsOf(name);
    const leading = (ports.length > 0 ? ports : lowers)
      .filter((lower) => this.names.has(lower))
      .filter((lower) => ports.length === 0 || this.leadsToHardware(lower, here))
      .flatMap((lower) => this.below(lower, here));
    return leading.length > 0 ? leading : this.ofAddress(name);
  }

  /** The interface of a MAC address that carried most. */
  ofAddress(name: string): string[] {
    const { address, isHardware } = this.facts(name);
    if (address === undefined || isHardware) return [name];
    const same = [...this.names].filter((other) => this.facts(other).address === address);
    const first = same.sort((a, b) => this.bytes(b) - this.bytes(a) || this.rank(a) - this.rank(b))[0];
    return [first ?? name];
  }

  /** The interface that counts for a hardware one. */
  above(name: string): string[] {
    const { master } = this.facts(name);
    if (master === undefined) return [name];
    return this.isBond(master) || this.facts(master).isHardware ? [master] : [name];
  }

  /** A route leads to it, or to one that is stacked on it. */
  isRouted(name: string, passed: ReadonlySet<string> = new Set()): boolean {
    if (passed.has(name)) return false;
    const here = new Set([...passed, name]);
    const { hasRoute, master } = this.facts(name);
    if (hasRoute || (master !== undefined && this.isRouted(master, here))) return true;
    return [...this.names].some((other) => this.facts(other).lowers?.includes(name) && this.isRouted(other, here));
  }

  /** Ties of the same traffic: the plainest name. */
  private rank(name: string): number {
    return (this.isBond(name) ? 0 : 2) + (stacked.test(name) ? 4 : 0) + (/^en?P\d+/.test(name) ? 1 : 0);
  }

  private portsOf(bridge: string): string[] {
    return [...this.names].filter((name) => this.facts(name).master === bridge);
  }

  private isBond(name: string): boolean {
    const { kind } = this.facts(name);
    return kind === 'bond' || (kind === undefined && bonds.test(name));
  }

  private isTunnel(name: string): boolean {
    const { kind, lowers = [] } = this.facts(name);
    if (kind === 'tunnel' || kind === 'ppp') return lowers.length === 0;
    return kind === undefined && tunnels.test(name) && lowers.length === 0;
  }

  /** What a tunnel's packets leave by. A PPP link has no other: its packets are no IP below. */
  private carriers(name: string, passed: ReadonlySet<string>): string[] {
    const all = [...this.names].filter((other) => !this.isTunnel(other) && !passed.has(other));
    const gateways = all.filter((other) => this.facts(other).hasDefaultRoute || this.facts(other).hasGateway);
    const found = gateways.flatMap((other) => this.below(other, passed));
    return found.length > 0 ? found : [name];
  }

  private leadsToHardware(name: string, passed: ReadonlySet<string>): boolean {
    if (passed.has(name)) return false;
    const here = new Set([...passed, name]);
    const { isHardware, lowers = [] } = this.facts(name);
    if (isHardware || this.isBond(name)) return true;
    return [...this.portsOf(name), ...lowers].some((lower) => this.leadsToHardware(lower, here));
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Above a link's speed by this much, a rate is an inexact interval; by more it is no rate of this link. */
const inexact = 1.1;
/** Faster than any link of a single host: where the speed is unknown, more than this is no rate. */
const fastestMbps = 800_000;

/** A rate as shown: never above the link's speed, and undefined where it can't be one of this link. */
export function plausibleMbps(mbps: number, speedMbps: number | undefined): number | undefined {
  if (!Number.isFinite(mbps) || mbps < 0) return undefined;
  const limit = speedMbps ?? fastestMbps;
  return mbps > limit * (speedMbps === undefined ? 1 : inexact) ? undefined : Math.min(mbps, limit);
}
