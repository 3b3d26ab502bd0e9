import { createHash, createHmac } from 'node:crypto';

/** One line of a known_hosts file. */
export interface KnownHostLine {
  /** Starts at 1. */
  readonly line: number;
  readonly marker?: 'revoked' | 'cert-authority';
  readonly patterns: readonly string[];
  readonly keyType: string;
  readonly key: Buffer;
}

/**
 * Reads OpenSSH's known_hosts format. Lines that can't be parsed are skipped, as ssh does: a manual edit
 * must not make every host unknown.
 */
export function parseKnownHosts(text: string): KnownHostLine[] {
  return text.split('\n').flatMap((raw, index): KnownHostLine[] => {
    const words = raw.trim().split(/\s+/);
    if (!words[0] || words[0].startsWith('#')) return [];
    const marker = words[0].startsWith('@') ? words.shift() : undefined;
    const [hosts, keyType, base64] = words;
    if (!hosts || !keyType || !base64) return [];
    const key = Buffer.from(base64, 'base64');
    // The blob repeats the type; a line in which they differ was truncated or mixed up.
    if (keyTypeOf(key) !== keyType) return [];
    const known = { line: index + 1, patterns: hosts.split(','), keyType, key };
    if (marker === undefined) return [known];
    if (marker === '@revoked') return [{ ...known, marker: 'revoked' }];
    if (marker === '@cert-authority') return [{ ...known, marker: 'cert-authority' }];
    return [];
  });
}

/**
 * Whether a line matches a host, named as in known_hosts (`host` or `[host]:port`). A matching negated pattern wins.
 */
export function lineMatches(line: KnownHostLine, name: string): boolean {
  let matches = false;
  for (const pattern of line.patterns) {
    if (pattern.startsWith('!')) {
      if (patternMatches(pattern.slice(1), name)) return false;
    } else if (patternMatches(pattern, name)) matches = true;
  }
  return matches;
}

function patternMatches(pattern: string, name: string): boolean {
  if (pattern.startsWith('|1|')) {
    const [, , salt = '', hash = ''] = pattern.split('|');
    return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
  }
  return wildcardMatches(pattern.toLowerCase(), name);
}

/** `*` is any text, `?` any character. No regular expression: a file may contain patterns longer than one can be. */
function wildcardMatches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let starPlace = 0;
  for (let place = 0; place < name.length;) {
    if (pattern[at] === '*') {
      star = at;
      starPlace = place;
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === name[place]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      // The star matches one more character.
      starPlace += 1;
      place = starPlace;
      at = star + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/** The type at the start of a public key's blob, e.g. `ssh-ed25519`; empty when it is not a key. */
export function keyTypeOf(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length <= key.length - 4 ? key.toString('latin1', 4, 4 + length) : '';
}

/** As `ssh-keygen -l` prints it: `SHA256:` and base64 without padding. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
