import { FullhouseError } from '../../../contract/calls';

/** The user's input, parsed. What is missing comes from the ssh config, then from ssh's defaults. */
export interface SshAddress {
  readonly user?: string;
  readonly host: string;
  readonly port?: number;
}

/**
 * Reads `host`, `user@host`, `user@host:port`, `[v6]:port`, a bare v6 address and `ssh://user@host:port`.
 * Throws a `FullhouseError` `bad-address` with one sentence.
 */
export function parseSshAddress(text: string): SshAddress {
  const trimmed = text.trim();
  const bare = trimmed.replace(/^ssh:\/\//i, '').replace(/\/$/, '');
  const refuse = (why: string): FullhouseError =>
    new FullhouseError('bad-address', `"${trimmed}" is not an SSH address: ${why}. Write it as user@host:port.`);
  if (!bare) throw refuse('it is empty');
  if (bare.includes('://')) throw refuse('it is a URL of another kind');
  // The last @ counts: user names of a directory service contain one themselves.
  const at = bare.lastIndexOf('@');
  const user = at < 0 ? undefined : bare.slice(0, at);
  const rest = bare.slice(at + 1);
  if (user === '') throw refuse('the user before @ is missing');
  const match = /^\[([^\]]+)\](?::(.*))?$/.exec(rest) ?? onlyOneColon(rest);
  const host = match ? (match[1] ?? '') : rest;
  const portText = match?.[2];
  if (!host) throw refuse('the host is missing');
  // A host or user that starts with - would be an ssh option in scripts that are copied from here.
  if (/[\s/\\'"`$;|&<>(){}*?,@]/.test(host) || host.startsWith('-')) throw refuse(`"${host}" is not a valid host name`);
  if (user !== undefined && (/[\s'"`$;|&<>(){}]/.test(user) || user.startsWith('-')))
    throw refuse(`"${user}" is not a valid user name`);
  const port = portText === undefined ? undefined : Number(portText);
  if (portText !== undefined && !(/^\d+$/.test(portText) && port !== undefined && port >= 1 && port <= 65535))
    throw refuse(`"${portText}" is not a port between 1 and 65535`);
  return { ...(user !== undefined && { user }), host, ...(port !== undefined && { port }) };
}

function onlyOneColon(rest: string): RegExpExecArray | undefined {
  return /^([^:[\]]*):([^:]*)$/.exec(rest) ?? undefined;
}

/** A host as in known_hosts: `host`, or `[host]:port` on another port than 22. */
export function knownHostsName(host: string, port: number): string {
  const lower = host.toLowerCase();
  return port === 22 ? lower : `[${lower}]:${port}`;
}

/** For messages: `host:port`, with brackets around a v6 address. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
