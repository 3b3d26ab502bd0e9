/** The 16-bit groups of an IPv4 address as the resolver of a system reads it: also `0xc0000201`, `192.0.513`. */
function groupsOfV4(text: string): readonly [number, number] | undefined {
  const parts = text.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[\da-f]+|\d+)$/i.test(part))) return undefined;
  const numbers = parts.map((part) => (/^0\d/.test(part) ? parseInt(part, 8) : Number(part)));
  const last = numbers.pop() ?? 0;
  const value = numbers.reduce((sum, number, place) => sum + number * 256 ** (3 - place), last);
  return numbers.every((number) => number < 256) && last < 256 ** (4 - numbers.length)
    ? [Math.floor(value / 65_536), value % 65_536]
    : undefined;
}

/** The eight 16-bit groups of an IP address; an IPv4 one is within `::ffff:0:0/96`. Undefined for anything else. */
export function ipGroups(text: string): readonly number[] | undefined {
  const plain = text.replace(/%.*$/, '');
  if (!plain.includes(':')) {
    const v4 = groupsOfV4(plain);
    return v4 && [0, 0, 0, 0, 0, 0xffff, ...v4];
  }
  const [, before = '', dotted = ''] = /^(.*:)([\d.]+\.[\d.]+)$/.exec(plain) ?? [];
  const v4 = dotted === '' ? [] : groupsOfV4(dotted);
  if (!v4) return undefined;
  const ends = (dotted === '' ? plain : before.replace(/([^:]):$/, '$1')).split('::');
  const [head = [], tail = []] = ends.map((end) => (end === '' ? [] : end.split(':')));
  const written = [...head, ...tail];
  const missing = 8 - v4.length - written.length;
  if (ends.length > 2 || !written.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  if (ends.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const zeros = Array.from({ length: missing }, () => 0);
  const numbers = (groups: readonly string[]): number[] => groups.map((group) => parseInt(group, 16));
  return [...numbers(head), ...zeros, ...numbers(tail), ...v4];
}

/** Whether a host of a URL can be one: an IPv6 address in brackets, an IPv4 address, or a name, which ends in no number. */
export function isUrlHost(host: string): boolean {
  if (host.startsWith('[')) return /^\[[^%]*:[^%]*\]$/.test(host) && ipGroups(host.slice(1, -1)) !== undefined;
  if (/[\s"#%/:<>?@[\\\]^|]/.test(host)) return false;
  const isNumeric = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host);
  return !isNumeric || ipGroups(host.replace(/\.$/, '')) !== undefined;
}

/** Whether a text has the form of an IPv4 address with a number that none has, e.g. `300.1.1.1`. */
export const isWrongIpv4 = (host: string): boolean => /^\d+(?:\.\d+){3}$/.test(host) && ipGroups(host) === undefined;
