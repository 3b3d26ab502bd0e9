import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface SshdOptions {
  /**
   * Creates a temporary user with this password, which `stop` removes (requires root). Without one, the user is the one
   * who runs the tests, and only keys are accepted.
   */
  readonly password?: string;
  /** A temporary user without a password. */
  readonly temporaryUser?: boolean;
  /** Login shell of the temporary user. */
  readonly shell?: string;
  /** Types of the host keys; default: ed25519. */
  readonly hostKeys?: readonly ('ed25519' | 'ecdsa' | 'rsa' | 'dsa')[];
  /** Default: a free one. */
  readonly port?: number;
  /** Whether `keyFile` is in authorized_keys; default: true. */
  readonly authorizeKey?: boolean;
  readonly keyType?: 'ed25519' | 'ecdsa' | 'rsa';
  /** Passphrase of `keyFile`. */
  readonly passphrase?: string;
  /** Creates a CA whose certificates are accepted; see `certify`. */
  readonly certificates?: boolean;
  /** Default: true. */
  readonly sftp?: boolean;
  /** Name of a network namespace to run in, and the address there to listen on. */
  readonly network?: { readonly namespace: string; readonly address: string };
  /** Further lines of sshd_config, e.g. `MaxSessions 2`. */
  readonly config?: readonly string[];
}

/** A real sshd on loopback with separate folder, host keys and accounts. */
export interface Sshd {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** `user@host:port` */
  readonly address: string;
  /** Accepted private key, unless configured otherwise; its public key is beside it as `.pub`. */
  readonly keyFile: string;
  /** Lines of the host keys for a known_hosts file. */
  readonly hostKeyLine: string;
  /** Its temporary folder, removed by `stop`. The temporary user's home is `home` in it. */
  readonly folder: string;
  readonly home: string;
  readonly pid: number;
  /** Its log so far. */
  log(): string;
  /** Signs a key with the CA, as `KEY-cert.pub` beside it. */
  certify(keyFile: string, principal?: string): void;
  /** Creates a private key in `folder` that is not accepted. */
  newKey(name: string, type?: string, passphrase?: string): string;
  /** New host keys, as after a new installation; new connections see them. */
  changeHostKeys(): Promise<void>;
  /** Names of the programs of its connections, including orphans of a temporary user. */
  programs(): string[];
  /** Ends all connections at once, like a cut cable; sshd keeps running. */
  cut(): void;
  /** All connections stop responding until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Ends sshd; its connections stay, as with the real service. */
  stopListening(): Promise<void>;
  /** Listens again, on the same port. */
  listenAgain(): Promise<void>;
  stop(): Promise<void>;
}

const program = '/usr/sbin/sshd';
const root = process.getuid?.() === 0;

/** Starts an sshd and waits until it listens. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-sshd-'));
  chmodSync(folder, 0o755);
  const home = join(folder, 'home');
  mkdirSync(home);
  // sshd's chroot folder, usually created by the service.
  if (root) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const isTemporary = options.password !== undefined || options.temporaryUser === true;
  const user = isTemporary ? await addUser(home, options) : userInfo().username;
  const uid = isTemporary ? Number(run('id', ['-u', user])) : undefined;
  const host = options.network?.address ?? '127.0.0.1';
  const port = options.port ?? (await freePort());
  const makeKey = (name: string, type = 'ed25519', passphrase = ''): string => {
    const file = join(folder, name);
    rmSync(file, { force: true });
    const bits = type === 'rsa' ? ['-b', '2048'] : [];
    run('ssh-keygen', ['-q', '-t', type, ...bits, '-N', passphrase, '-C', name, '-f', file]);
    return file;
  };
  const types = options.hostKeys ?? ['ed25519'];
  const makeHostKeys = (): string[] => types.map((type) => makeKey(`host_${type}`, type));
  let hostKeyFiles = makeHostKeys();
  const keyFile = makeKey('client', options.keyType, options.passphrase);
  const authorized = join(folder, 'authorized_keys');
  writeFileSync(authorized, options.authorizeKey === false ? '' : readFileSync(`${keyFile}.pub`));
  const authority = options.certificates ? makeKey('authority') : undefined;
  const configFile = join(folder, 'sshd_config');
  const lines = [
    // The first occurrence counts, so options of a test precede.
    ...(options.config ?? []),
    `ListenAddress ${host}`,
    `Port ${port}`,
    ...hostKeyFiles.map((file) => `HostKey ${file}`),
    `AuthorizedKeysFile ${authorized}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'UseDNS no',
    'PermitRootLogin yes',
    'LogLevel VERBOSE',
    ...(authority ? [`TrustedUserCAKeys ${authority}.pub`] : []),
    ...(options.sftp === false ? [] : ['Subsystem sftp internal-sftp']),
    `PasswordAuthentication ${options.password === undefined ? 'no' : 'yes'}`,
    'KbdInteractiveAuthentication no',
  ];
  writeFileSync(configFile, `${lines.join('\n')}\n`);

  const logs: string[] = [];
  let daemon = await listen(configFile, logs, options.network?.namespace);
  const pid = (): number => daemon.pid ?? 0;
  /** Including connections of an ended listener. */
  const listeners: number[] = [pid()];
  const connections = (): number[] =>
    [...new Set([...listeners.flatMap(descendants), ...orphans, ...orphans.flatMap(descendants)])].filter(isAlive);
  const orphans: number[] = [];

  const stopListening = async (): Promise<void> => {
    orphans.push(...descendants(pid()));
    await end(daemon);
  };
  const listenAgain = async (): Promise<void> => {
    daemon = await listen(configFile, logs, options.network?.namespace);
    listeners.push(pid());
  };
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const child of connections()) signalOne(child, signal);
  };
  const cut = (): void => {
    // sshd forks once more right after a login; a stopped one does not.
    signalAll('SIGSTOP');
    signalAll('SIGKILL');
  };
  return {
    host,
    port,
    user,
    address: `${user}@${host}:${port}`,
    keyFile,
    get hostKeyLine() {
      return hostKeyFiles
        .map((file) => readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' '))
        .map((key) => `[${host}]:${port} ${key}\n`)
        .join('');
    },
    folder,
    home,
    get pid() {
      return pid();
    },
    log: () => logs.join(''),
    certify(file, principal = user) {
      if (!authority) throw new Error('startSshd was called without a CA.');
      run('ssh-keygen', ['-q', '-s', authority, '-I', 'test', '-n', principal, '-V', '-1m:+1h', `${file}.pub`]);
    },
    newKey: makeKey,
    async changeHostKeys() {
      await stopListening();
      hostKeyFiles = makeHostKeys();
      await listenAgain();
    },
    programs: () => [...connections(), ...orphansOf(uid)].flatMap(nameOf),
    cut,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stopListening,
    listenAgain,
    async stop() {
      cut();
      await end(daemon);
      for (const orphan of orphansOf(uid)) signalOne(orphan, 'SIGKILL');
      if (isTemporary) await removeUser(user);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function listen(configFile: string, logs: string[], namespace: string | undefined): Promise<ChildProcess> {
  // `ip netns exec` replaces itself, so the process id is sshd's own.
  const [command = program, ...args] = [
    ...(namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]),
    program,
    ...['-D', '-e', '-f', configFile],
  ];
  const daemon = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const from = logs.length;
  daemon.stderr.setEncoding('utf8');
  daemon.stderr.on('data', (text: string) => logs.push(text));
  const heard = (): string => logs.slice(from).join('');
  const endMs = Date.now() + 15_000;
  while (!heard().includes('Server listening')) {
    if (daemon.exitCode !== null || Date.now() > endMs) {
      daemon.kill('SIGKILL');
      throw new Error(`sshd does not listen: ${heard()}`);
    }
    await pause(20);
  }
  return daemon;
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = new Promise((resolve) => daemon.once('exit', resolve));
  daemon.kill('SIGTERM');
  await gone;
}

/** All processes below one, from /proc; parents before children. */
function descendants(parent: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = procText(Number(name), 'stat');
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, its]) => its === pid).flatMap(([child]) => [child, ...below(child)]);
  return below(parent);
}

/** Processes of a temporary user, with any parent. */
function orphansOf(uid: number | undefined): number[] {
  if (uid === undefined) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isAlive)
    .filter((pid) => new RegExp(`^Uid:\\s+${uid}\\s`, 'm').test(procText(pid, 'status')));
}

function nameOf(pid: number): string[] {
  const name = procText(pid, 'comm').trim();
  return name ? [name] : [];
}

/** Empty for an ended process. */
function procText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** An ended process is listed until its parent has reaped it, which pid 1 of a container may never do. */
function isAlive(pid: number): boolean {
  const stat = procText(pid, 'stat');
  return stat !== '' && stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended meanwhile
  }
}

async function addUser(home: string, options: SshdOptions): Promise<string> {
  if (!root) throw new Error('A temporary user requires root.');
  const user = `fh${process.pid}x${Math.random().toString(36).slice(2, 7)}`;
  // `*` means no password, without locking the account.
  const hash = options.password === undefined ? '*' : run('openssl', ['passwd', '-6', options.password]).trim();
  await patiently(() => run('useradd', ['-M', '-d', home, '-s', options.shell ?? '/bin/bash', '-p', hash, user]));
  run('chown', [`${user}:`, home]);
  return user;
}

async function removeUser(user: string): Promise<void> {
  await patiently(() => run('userdel', ['-f', user]));
}

/** Another test may hold the lock of the list of users. */
async function patiently(act: () => unknown): Promise<void> {
  for (let left = 50; ; left -= 1) {
    try {
      act();
      return;
    } catch (error) {
      if (left === 0 || !/lock/.test((error as Error).message)) throw error;
      await pause(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
