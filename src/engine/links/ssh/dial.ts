import { NodeSSH } from 'node-ssh';
import { connect as connectSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Client, ServerHostKeyAlgorithm } from 'ssh2';
import { FullhouseError } from '../../../contract/calls';
import { systemClock } from '../../base/clock';
import { requireRealAddress } from '../../base/realAddress';
import { listsIn, noCommonAlgorithm, ourLists } from './algorithms';
import { connectFailure, hopName, hostKeyFailure, notAnSshServer, forwardFailure } from './failures';
import { Login } from './login';
import { keyOffers } from './keyOffers';
import { installKeySigner } from './publicKeyLogin';
import { resolveRoute, type SshHop } from './sshConfig';
import type { SshOptions } from './sshLink';

/** An open connection to a host, through all its jump hosts. */
export interface SshRoute {
  readonly ssh: NodeSSH;
  readonly client: Client;
  readonly authenticatedBy: string;
  /** How the server identified itself, e.g. `SSH-2.0-OpenSSH_9.2`. */
  readonly serverVersion: string;
  /** Calls once when any hop is lost, with a message. */
  onLost(listener: (error: FullhouseError) => void): void;
  close(): void;
}

const defaultConnectTimeoutMs = 15_000;
const defaultKeepaliveMs = 5_000;
const closeTimeoutMs = 500;
/** Max characters kept of the data before the SSH banner, to recognise e.g. a web server. */
const maxBannerCharacters = 4096;

/** Connects hop by hop. Rejects with a `FullhouseError` that names the hop, and leaves nothing open. */
export async function dial(options: SshOptions, route = resolveRoute(options)): Promise<SshRoute> {
  const { clock = systemClock } = options;
  const open: Hop[] = [];
  const close = (): void => {
    for (const hop of [...open].reverse()) hop.client.end();
    // A host that no longer responds never closes its side, which would keep the process from ending.
    const socket = open[0]?.socket;
    if (!socket) return;
    const cancel = clock.after(closeTimeoutMs, () => socket.destroy());
    socket.once('close', cancel);
  };
  try {
    for (const [index, hop] of route.entries()) {
      const isTarget = index === route.length - 1;
      const before = open.at(-1);
      const name = hopName(hop, isTarget);
      const via = before && { name: before.name, stream: await onward(options.who, before, name, hop) };
      open.push(await connectHop(options, hop, name, isTarget, via));
    }
  } catch (error) {
    close();
    throw error;
  }
  const last = open.at(-1);
  if (!last) throw new FullhouseError('ssh-config', `${options.who}: the route has no host.`);
  return {
    ssh: last.ssh,
    client: last.client,
    authenticatedBy: last.by,
    serverVersion: last.serverVersion,
    onLost(listener) {
      let isLost = false;
      for (const { client, name } of open) {
        const lost = (why: string): void => {
          if (isLost) return;
          isLost = true;
          listener(
            new FullhouseError('link-lost', `${options.who}: the SSH connection to ${name} broke${why}; reconnecting.`),
          );
        };
        client.on('error', (error) => lost(`: ${lossReason(error)}`));
        client.on('close', () => lost(''));
        client.on('end', () => lost(': it was closed by the other side'));
      }
    },
    close,
  };
}

interface Hop {
  readonly name: string;
  readonly ssh: NodeSSH;
  readonly client: Client;
  readonly socket: Duplex;
  readonly by: string;
  readonly serverVersion: string;
}

async function onward(who: string, before: Hop, name: string, hop: SshHop): Promise<Duplex> {
  try {
    return await before.ssh.forwardOut('127.0.0.1', 0, hop.host, hop.port);
  } catch (error) {
    throw forwardFailure(who, name, before.name, error as Error);
  }
}

async function connectHop(
  options: SshOptions,
  hop: SshHop,
  name: string,
  isTarget: boolean,
  via: { readonly name: string; readonly stream: Duplex } | undefined,
): Promise<Hop> {
  const { who, hostKeys } = options;
  // The ssh config may lead any name there.
  requireRealAddress(name, hop.host);
  const timeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const keys = await keyOffers(hop, options.secret('sshPassphrase'), isTarget ? hop.namedKeyFiles[0] : undefined);
  // The password is for the target only: a jump host's administrator could read it.
  const login = new Login(hop.user, keys, isTarget ? options.secret('sshPassword') : undefined);
  const ssh = new NodeSSH();
  let refusal: FullhouseError | undefined;
  const socket = via?.stream ?? connectSocket({ host: hop.host, port: hop.port, noDelay: true });
  const algorithms = {
    serverHostKey: hostKeyOrder(hostKeys.knownTypes(hop.keyName, hop.port, hop.knownHostsFiles)),
  };
  const connecting = ssh.connect({
    host: hop.host,
    sock: socket,
    username: hop.user,
    readyTimeout: timeoutMs,
    keepaliveInterval: options.keepaliveMs ?? defaultKeepaliveMs,
    keepaliveCountMax: 3,
    algorithms,
    authHandler: login.handler,
    hostVerifier: (key: Buffer): boolean => {
      try {
        const question = hostKeys.question(hop.keyName, hop.port, key, hop.knownHostsFiles);
        if (question) refusal = hostKeyFailure(who, name, question);
      } catch (error) {
        refusal = error as FullhouseError;
      }
      return refusal === undefined;
    },
  });
  const client = ssh.connection;
  if (!client) throw new Error('node-ssh has started no connection.');
  // node-ssh stops listening once it is connected; an unhandled error would end the process.
  client.on('error', () => undefined);
  client.on('change password', () => {
    refusal = new FullhouseError(
      'auth',
      `${who}: the password of ${hop.user} at ${name} has expired. Change it in a terminal.`,
    );
    client.end();
  });
  installKeySigner(client, { locked: login.onLocked, failed: login.onSignFailed });
  let received = '';
  const listen = (chunk: Buffer): void => {
    received = (received + chunk.toString('latin1')).slice(0, maxBannerCharacters);
  };
  socket.on('data', listen);
  client.once('handshake', () => socket.off('data', listen));
  let isEncrypted = false;
  client.on('handshake', () => (isEncrypted = true));
  try {
    await connecting;
  } catch (error) {
    client.destroy();
    socket.destroy();
    if (refusal) throw refusal;
    const failure = error as Error & { level?: unknown };
    if (failure.level === 'client-authentication') throw login.failure(options, name);
    if (isEncrypted && /too many auth/i.test(failure.message)) throw login.failure(options, name, failure.message);
    if (received && !received.includes('SSH-')) throw notAnSshServer(who, name, received);
    if (/no matching/i.test(failure.message)) {
      const server = listsIn(Buffer.from(received, 'latin1'));
      const why = noCommonAlgorithm(failure.message, server, await ourLists(algorithms));
      if (why) throw new FullhouseError('no-algorithm', `${who}: ${name} and Fullhouse ${why}.`, { cause: error });
    }
    throw connectFailure(who, name, via?.name, failure, timeoutMs);
  }
  return { name, ssh, client, socket, by: login.by, serverVersion: versionIn(received) };
}

/**
 * ssh2's usual order with the known types first, as ssh does: a host that is known by one key would otherwise look
 * unknown when it presents another first.
 */
function hostKeyOrder(
  known: readonly string[],
): Record<'append' | 'prepend' | 'remove', ServerHostKeyAlgorithm | ServerHostKeyAlgorithm[]> {
  const first = known.flatMap((type): ServerHostKeyAlgorithm[] => hostKeyAlgorithms[type] ?? []);
  return { remove: first, prepend: first, append: [] };
}

const hostKeyAlgorithms: Readonly<Record<string, ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
};

/** The identification in what a server sent first; lines may precede it (RFC 4253, section 4.2). */
function versionIn(received: string): string {
  return /^SSH-[^\r\n]*/m.exec(received)?.[0] ?? '';
}

function lossReason(error: Error & { level?: unknown }): string {
  if (error.level === 'client-timeout') return 'it stopped responding';
  return error.message.replace(/\.$/, '');
}
