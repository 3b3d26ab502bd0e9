import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { InterfaceFacts, InterfaceKind, NetworkStructure } from '../../domain/node/wires';

/** Interfaces and routes change rarely, and reading them costs more than the counters. */
export const structureEveryMs = 10_000;

/** Files of an interface in /sys/class/net, as `FILE:LINE`. */
const files = ['uevent', 'operstate', 'type', 'speed', 'tun_flags'] as const;
/** Tables of routes in /proc/net. */
const routeFiles = ['route', 'ipv6_route'] as const;

/**
 * Prints the structure of a host's interfaces: their links to one another, their kinds and the routes. For a POSIX
 * shell, with one process for each kind of file, however many interfaces there are.
 */
export const structureScript = [
  'ls -ld /sys/class/net/*/master /sys/class/net/*/lower_* /sys/class/net/*/device',
  `grep -H . ${files.map((file) => `/sys/class/net/*/${file}`).join(' ')}`,
  `cat ${routeFiles.map((file) => `/proc/net/${file}`).join(' ')}`,
]
  .map((command) => `${command} 2>/dev/null`)
  .join('\n');

/** Prints the free space of the root file system, which changes as slowly. Other file systems may not respond. */
export const diskScript = 'echo "@disk $(df -Pk / 2>/dev/null | tail -n 1)"';

/** Free bytes for programs, from what `diskScript` prints; undefined where it prints none. */
export function parseDiskFree(lines: readonly string[]): number | undefined {
  const fields = lines.find((line) => line.startsWith('@disk '))?.split(/\s+/);
  // Filesystem, blocks, used, available, capacity, mount point.
  const kilobytes = Number(fields?.[4]);
  return fields?.[6] === '/' && Number.isFinite(kilobytes) ? kilobytes * 1024 : undefined;
}

type Writable = { -readonly [K in keyof InterfaceFacts]: InterfaceFacts[K] };

/** Parses what `structureScript` prints. */
export function parseStructure(lines: readonly string[]): NetworkStructure {
  const found = new Map<string, Writable>();
  const at = (name: string): Writable => {
    const known = found.get(name) ?? {};
    found.set(name, known);
    return known;
  };
  for (const line of lines) {
    const link = /\/sys\/class\/net\/([^/\s]+)\/(master|device|lower_(\S+))(?: -> (\S+))?$/.exec(line);
    const value = link ? null : /^\/sys\/class\/net\/([^/]+)\/(\w+):(.*)$/.exec(line);
    if (link) addLink(at(link[1] ?? ''), link[2] ?? '', link[3], link[4]);
    else if (value) addFile(at(value[1] ?? ''), value[2] ?? '', value[3] ?? '');
    else addRoute(line, at);
  }
  // Without hardware a speed is a default of its driver: 10 Mbit/s of a tunnel, 10 Gbit/s of one end of a pair.
  for (const facts of found.values()) if (!facts.isHardware && facts.kind !== 'bond') delete facts.speedMbps;
  return found;
}

/** That of this machine; empty where it has no /sys. */
export function readStructure(): NetworkStructure {
  const folder = '/sys/class/net';
  const lines: string[] = [];
  for (const name of listed(folder)) {
    for (const entry of listed(`${folder}/${name}`))
      if (/^(master|device|lower_.*)$/.test(entry)) {
        const target = targetOf(`${folder}/${name}/${entry}`);
        lines.push(`${folder}/${name}/${entry}${target === undefined ? '' : ` -> ${target}`}`);
      }
    for (const file of files)
      lines.push(...textOf(`${folder}/${name}/${file}`).map((line) => `${folder}/${name}/${file}:${line}`));
  }
  return parseStructure([...lines, ...routeFiles.flatMap((file) => textOf(`/proc/net/${file}`))]);
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A file of an interface that has no such value can't be read. */
function textOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function addLink(facts: Writable, kind: string, lower: string | undefined, target: string | undefined): void {
  if (kind === 'device') facts.isHardware = true;
  else if (kind === 'master') facts.master = target?.slice(target.lastIndexOf('/') + 1);
  else if (lower !== undefined) facts.lowers = [...(facts.lowers ?? []), lower];
}

/** ARPHRD numbers of /sys/class/net/NAME/type. */
const kindOfType: Readonly<Record<string, InterfaceKind>> = {
  '772': 'loopback',
  '512': 'ppp',
  // IP without a link layer: tun and WireGuard; then ipip, ip6tnl, sit, gre, ip6gre.
  ...{ '65534': 'tunnel', '768': 'tunnel', '769': 'tunnel', '776': 'tunnel', '778': 'tunnel', '823': 'tunnel' },
};
const kindOfDevice: Readonly<Record<string, InterfaceKind>> = {
  ...{ bridge: 'bridge', bond: 'bond', team: 'bond', ppp: 'ppp' },
  ...{ wireguard: 'tunnel', vxlan: 'tunnel', geneve: 'tunnel', gretap: 'tunnel', ip6gretap: 'tunnel', vti: 'tunnel' },
  ...{ vlan: 'virtual', macvlan: 'virtual', macvtap: 'virtual', ipvlan: 'virtual', ipvtap: 'virtual', veth: 'virtual' },
  ...{ dummy: 'virtual', vrf: 'virtual', hsr: 'virtual' },
};

function addFile(facts: Writable, file: string, value: string): void {
  if (file === 'uevent') {
    const [, device = ''] = /^DEVTYPE=(\w+)$/.exec(value) ?? [];
    facts.kind = kindOfDevice[device] ?? facts.kind;
  } else if (file === 'type') facts.kind ??= kindOfType[value];
  else if (file === 'tun_flags') facts.kind = 'tunnel';
  else if (file === 'operstate') facts.isDown = value === 'down' || value === 'lowerlayerdown';
  else if (file === 'speed' && Number(value) > 0) facts.speedMbps = Number(value);
}

/** Flags of a route: the system rejects its packets; it leads through a gateway. */
const rejects = 0x200;
const hasGateway = 0x2;

/** A line of /proc/net/route or /proc/net/ipv6_route. */
function addRoute(line: string, at: (name: string) => Writable): void {
  const fields = line.trim().split(/\s+/);
  const isFour = fields.length >= 11 && /^[0-9A-F]{8}$/.test(fields[1] ?? '');
  const isSix = !isFour && fields.length === 10 && /^[0-9a-f]{32}$/.test(fields[0] ?? '');
  if (!isFour && !isSix) return;
  const name = isFour ? fields[0] : fields[9];
  const flags = Number.parseInt((isFour ? fields[3] : fields[8]) ?? '', 16);
  // Link-local and multicast routes are those of every interface.
  const isOfLink = isSix && /^(fe80|ff)/.test(fields[0] ?? '');
  if (name === undefined || isOfLink || (flags & rejects) !== 0) return;
  const facts = at(name);
  facts.hasRoute = true;
  if ((flags & hasGateway) !== 0) facts.hasGateway = true;
  const isDefault = isFour
    ? fields[1] === '00000000' && fields[7] === '00000000'
    : /^0{32}$/.test(fields[0] ?? '') && fields[1] === '00';
  if (isDefault || isHalf(fields, isFour)) facts.hasDefaultRoute = true;
}

/** 0.0.0.0/1 and 128.0.0.0/1: how a VPN takes the default route over without replacing it. */
function isHalf(fields: readonly string[], isFour: boolean): boolean {
  return isFour && (fields[1] === '00000000' || fields[1] === '00000080') && fields[7] === '00000080';
}
