import { homedir, hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import { parseSshAddress, type SshAddress } from './address';
import { readSshConfig } from './configFile';
import type { SshTarget } from './sshLink';
import { namedVariable, variable } from '../../base/variables';

/** One host of the route, as ssh would reach it. */
export interface SshHop {
  /** As entered: a name of the config, or the host itself. */
  readonly name: string;
  readonly user: string;
  readonly host: string;
  readonly port: number;
  /** Private keys to try, best first. */
  readonly keyFiles: readonly string[];
  /** Those of `keyFiles` that are configured explicitly: a missing one is reported. */
  readonly namedKeyFiles: readonly string[];
  readonly certificateFiles: readonly string[];
  /** Only `keyFiles`, also among the agent's keys. */
  readonly identitiesOnly: boolean;
  /** Undefined: no agent. */
  readonly agentSocket?: string;
  /** Name of its key in known_hosts. */
  readonly keyName: string;
  /** Instead of the usual known_hosts files. */
  readonly knownHostsFiles?: readonly string[];
}

export interface RouteOptions {
  readonly target: SshTarget;
  readonly sshFolder?: string;
  readonly agentSocket?: string;
  /** Default: the system's. */
  readonly systemConfig?: string;
}

const defaultKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa', 'id_ecdsa_sk', 'id_ed25519_sk'];
const maxHops = 8;

/**
 * The hosts to go through, the target last, by `~/.ssh/config` as ssh reads it. Rejects with `ssh-config` or
 * `bad-address`.
 */
export function resolveRoute(options: RouteOptions): SshHop[] {
  const { target } = options;
  const route: SshHop[] = [];
  let next: { address: SshAddress; jump?: string } | undefined = {
    address: parseSshAddress(target.address),
    jump: target.jump,
  };
  while (next) {
    const isTarget = route.length === 0;
    const { hop, jump }: { hop: SshHop; jump: readonly string[] } = resolveHop(options, next, isTarget);
    route.unshift(hop);
    // In `-J a,b` the last one is next to the target; the rest is the route to it, whatever its own entry says.
    const nearest = jump.at(-1);
    if (nearest === undefined) break;
    if (route.length >= maxHops)
      throw new FullhouseError(
        'ssh-config',
        `The route to ${target.address} has more than ${maxHops} jump hosts, or forms a loop; check ProxyJump in the ssh config.`,
      );
    const before = jump.slice(0, -1);
    next = {
      address: parseSshAddress(nearest),
      ...(before.length > 0 && { jump: before.join(',') }),
    };
  }
  return route;
}

function resolveHop(
  options: RouteOptions,
  wanted: { readonly address: SshAddress; readonly jump?: string },
  isTarget: boolean,
): { hop: SshHop; jump: string[] } {
  const { address } = wanted;
  const sshFolder = options.sshFolder ?? join(homedir(), '.ssh');
  const systemConfig = options.systemConfig ?? '/etc/ssh/ssh_config';
  const me = localUser();
  const hostOf = (hostName = address.host): string => fill(hostName, { '%h': address.host, '%n': address.host });
  const values = readSshConfig({
    files: [
      { path: join(sshFolder, 'config'), folder: sshFolder },
      { path: systemConfig, folder: dirname(systemConfig) },
    ],
    host: address.host,
    localUser: me,
    given: {
      ...(address.user !== undefined && { user: address.user }),
      ...(address.port !== undefined && { port: String(address.port) }),
      ...(wanted.jump !== undefined && { proxyjump: wanted.jump }),
    },
    hostOf,
  });
  const one = (name: string): string | undefined => values.get(name.toLowerCase())?.[0];
  const many = (name: string): readonly string[] => values.get(name.toLowerCase()) ?? [];

  const host = hostOf(one('HostName'));
  const port = address.port ?? portOf(one('Port'), address.host) ?? 22;
  const user = address.user ?? one('User') ?? me;
  const tokens = {
    '%h': host,
    '%n': address.host,
    '%p': String(port),
    '%r': user,
    '%u': me,
    '%d': homedir(),
    '%L': hostname().split('.')[0] ?? '',
    '%l': hostname(),
    '%i': String(process.getuid?.() ?? ''),
  };
  const path = (text: string): string => pathOf(fill(text, tokens));

  const jumpText = wanted.jump ?? one('ProxyJump');
  if (jumpText === undefined && one('ProxyCommand') !== undefined && one('ProxyCommand') !== 'none')
    throw new FullhouseError(
      'ssh-config',
      `The ssh config has a ProxyCommand for ${address.host}, which Fullhouse does not support. Use ProxyJump there, or enter the jump host in the node's settings.`,
    );
  const fromConfig = many('IdentityFile')
    .filter((file) => file !== 'none')
    .map(path);
  const typed = options.target.keyFile ? [pathOf(options.target.keyFile)] : [];
  const named = isTarget ? [...typed, ...fromConfig] : [...fromConfig, ...typed];
  const usual = fromConfig.length > 0 ? [] : defaultKeys.map((name) => join(sshFolder, name));
  const knownHostsFiles = many('UserKnownHostsFile').map(path);
  const agentSocket = agentOf(one('IdentityAgent'), path, options.agentSocket);
  return {
    hop: {
      name: address.host,
      user,
      host,
      port,
      keyFiles: [...new Set([...named, ...usual])],
      namedKeyFiles: named,
      certificateFiles: many('CertificateFile').map(path),
      identitiesOnly: one('IdentitiesOnly')?.toLowerCase() === 'yes',
      ...(agentSocket !== undefined && { agentSocket }),
      keyName: one('HostKeyAlias') ?? host,
      ...(knownHostsFiles.length > 0 && { knownHostsFiles }),
    },
    jump:
      !jumpText || jumpText.toLowerCase() === 'none'
        ? []
        : jumpText.split(',').map((word) => fill(word.trim(), tokens)),
  };
}

function agentOf(
  wanted: string | undefined,
  path: (text: string) => string,
  given: string | undefined,
): string | undefined {
  const fromEnvironment = given ?? variable('SSH_AUTH_SOCK');
  if (wanted === undefined || wanted === 'SSH_AUTH_SOCK') return fromEnvironment || undefined;
  if (wanted.toLowerCase() === 'none') return undefined;
  if (wanted.startsWith('$')) return namedVariable(wanted.slice(1).replace(/[{}]/g, '')) || undefined;
  return path(wanted);
}

function portOf(text: string | undefined, host: string): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new FullhouseError('ssh-config', `The ssh config has the invalid port "${text}" for ${host}.`);
  return port;
}

/** Replaces ssh's percent tokens; `%%` is a percent sign, an unknown one stays. */
function fill(text: string, tokens: Readonly<Record<string, string>>): string {
  return text.replace(/%./g, (token) => (token === '%%' ? '%' : (tokens[token] ?? token)));
}

function pathOf(text: string): string {
  const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => namedVariable(name) ?? '');
  return filled.replace(/^~(?=\/|$)/, homedir());
}

function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return variable('USER') ?? ''; // a user without a passwd entry, as in some containers
  }
}
