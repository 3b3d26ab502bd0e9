import type { Facts } from '../reading/facts';
import type { Need } from '../reading/need';
import { sysctlNumbers, sysctlPath } from './sysctl';

/** Ports from the first to the last, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const rangeText = ({ first, last }: PortRange): string => `${first}-${last}`;

export function overlap(one: PortRange, other: PortRange): PortRange | undefined {
  const [first, last] = [Math.max(one.first, other.first), Math.min(one.last, other.last)];
  return first <= last ? { first, last } : undefined;
}

export const ephemeralName = 'net.ipv4.ip_local_port_range';
const reservedName = 'net.ipv4.ip_local_reserved_ports';
export const ephemeralNeeds: readonly Need[] = [
  { file: sysctlPath(ephemeralName) },
  { file: sysctlPath(reservedName) },
];

/** Ephemeral ports of the system. */
export function ephemeralRange(facts: Facts): PortRange {
  const [first = 0, last = 0] = sysctlNumbers(facts, ephemeralName);
  return { first, last };
}

/** Ports reserved from these, e.g. `8080,20001-40000`. Pure. */
function readPortList(text: string): readonly PortRange[] {
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const match = /^(\d+)(?:-(\d+))?$/.exec(part.trim());
      return match ? [{ first: Number(match[1]), last: Number(match[2] ?? match[1]) }] : [];
    });
}

/** The part of a server's range that the system may assign to other connections. */
export function ephemeralOverlap(facts: Facts, range: PortRange): PortRange | undefined {
  const shared = overlap(range, ephemeralRange(facts));
  if (!shared) return undefined;
  const reserved = facts.maybe((all) => readPortList(all.file(sysctlPath(reservedName)))) ?? [];
  return reserved.some(({ first, last }) => first <= shared.first && last >= shared.last) ? undefined : shared;
}

/** Reserves a server's ports without changing the ephemeral range itself; existing reservations are kept. */
export function reservation(facts: Facts, { first, last }: PortRange): readonly [string, string] {
  const before = facts.maybe((all) => all.file(sysctlPath(reservedName)).trim()) ?? '';
  return [reservedName, [...(before === '' ? [] : [before]), `${first}-${last}`].join(',')];
}
