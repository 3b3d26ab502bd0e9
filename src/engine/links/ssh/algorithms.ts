import { Duplex } from 'node:stream';
import { Client, type ConnectConfig } from 'ssh2';

/** What one side of a connection offers, best first (RFC 4253, section 7.1). */
export interface AlgorithmLists {
  readonly kex: readonly string[];
  readonly hostKey: readonly string[];
  readonly cipher: readonly string[];
  readonly mac: readonly string[];
}

/** How ssh2 reports the list without a common entry, and what changes it on the server. */
const kinds = [
  { pattern: /key exchange/i, list: 'kex', name: 'key exchange algorithm', line: 'KexAlgorithms' },
  { pattern: /host key/i, list: 'hostKey', name: 'host key algorithm', line: 'HostKeyAlgorithms' },
  { pattern: /cipher/i, list: 'cipher', name: 'cipher', line: 'Ciphers' },
  { pattern: /\bMAC\b/, list: 'mac', name: 'MAC', line: 'MACs' },
] as const;

const messageOfLists = 20;
const cookieBytes = 16;

/**
 * The lists in what one side has sent at the start of a connection, which is not encrypted: its identification, then its
 * SSH_MSG_KEXINIT. Undefined where that is incomplete or something else.
 */
export function listsIn(sent: Buffer): AlgorithmLists | undefined {
  const start = /^SSH-[^\n]*\n/m.exec(sent.toString('latin1'));
  if (!start) return undefined;
  // The packet has its length, the length of its padding, and its number first.
  let at = start.index + start[0].length + 5;
  if (sent[at] !== messageOfLists) return undefined;
  at += 1 + cookieBytes;
  const lists: string[][] = [];
  while (lists.length < 6) {
    if (at + 4 > sent.length) return undefined;
    const length = sent.readUInt32BE(at);
    at += 4;
    if (at + length > sent.length) return undefined;
    lists.push(
      sent
        .toString('latin1', at, at + length)
        .split(',')
        .map((name) => name.replace(/[^!-~]/g, '.').slice(0, 64))
        .filter(Boolean),
    );
    at += length;
  }
  const [kex = [], hostKey = [], cipher = [], , mac = []] = lists;
  return { kex, hostKey, cipher, mac };
}

/** What our side offers with these settings; by a connection to nothing, since ssh2 has no function for it. */
export function ourLists(algorithms: ConnectConfig['algorithms']): Promise<AlgorithmLists | undefined> {
  return new Promise((resolve) => {
    const client = new Client();
    const sent: Buffer[] = [];
    const finish = (lists: AlgorithmLists | undefined): void => {
      resolve(lists);
      client.destroy();
    };
    const socket = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        sent.push(chunk);
        done();
        const lists = listsIn(Buffer.concat(sent));
        if (lists) finish(lists);
      },
    });
    client.on('error', () => finish(undefined));
    client.connect({ sock: socket, algorithms, username: 'none', readyTimeout: 1000 });
    socket.push('SSH-2.0-none\r\n');
  });
}

/**
 * A sentence without its subject about a connection that failed as ssh2 reports it: which algorithm is missing, what both
 * sides offer, and the line of sshd_config that helps. Undefined for another reason.
 */
export function noCommonAlgorithm(
  message: string,
  server: AlgorithmLists | undefined,
  ours: AlgorithmLists | undefined,
): string | undefined {
  const kind = kinds.find(({ pattern }) => pattern.test(message));
  if (!kind) return undefined;
  const { list, name, line } = kind;
  // Markers of extensions are in the same list.
  const namesOf = (lists: AlgorithmLists | undefined): string[] =>
    (lists?.[list] ?? []).filter((each) => !/^(?:ext-info|kex-strict)-/.test(each));
  const [offered, own] = [namesOf(server), namesOf(ours)];
  const key = list === 'hostKey' ? ', and create its key there (ssh-keygen -A)' : '';
  return (
    `have no common ${name}. The server offers ${offered.join(', ') || 'none that could be read'}; ` +
    `Fullhouse offers ${own.join(', ') || 'its usual ones'}. ` +
    (own[0] === undefined
      ? `Allow more in ${line} of its sshd_config`
      : `Add "${line} +${own[0]}" to its sshd_config${key}`)
  );
}
