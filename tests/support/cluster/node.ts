import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubernetesFolder } from '../../../scripts/setup/kubernetes.mjs';
import { until } from '../until';

const execute = promisify(execFile);

/** Values that a kubelet sets for the machine that it runs on; ours sees its own copies. */
const kernelSettings = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};

/** Folders that programs of a node write to whatever their configuration says; ours has its own. */
const ownFolders = ['/var/lib', '/var/log', '/run'];

/** Addresses of a node: `10.NUMBER.…`. */
export interface NodeAddresses {
  /** This machine as the node and its pods see it. */
  readonly host: string;
  readonly node: string;
  readonly pods: string;
  readonly services: string;
}

/** A program inside the node. */
export interface NodeProgram {
  readonly name: string;
  /** Process id on this machine. */
  readonly pid: number;
  log(): string;
  isRunning(): boolean;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/**
 * A machine within this one: processes, mounts and network of its own, which end with its first process. So nothing of
 * a cluster remains, not even when the test that started it is killed.
 */
export class ClusterNode {
  private constructor(
    readonly folder: string,
    readonly addresses: NodeAddresses,
    private readonly holder: ChildProcess,
    private readonly firstPid: number,
  ) {}

  static async start(folder: string): Promise<ClusterNode> {
    const holder = spawn(
      'setpriv',
      [
        // A killed test ends `unshare`, which ends the node.
        ...[
          '--pdeathsig',
          'KILL',
          '--',
          'unshare',
          '--mount',
          '--net',
          '--pid',
          '--fork',
          '--kill-child',
          '--mount-proc',
        ],
        join(kubernetesFolder, 'pause'),
      ],
      { stdio: 'ignore', cwd: folder },
    );
    let firstPid: number | undefined;
    const isStarted = (): boolean => (firstPid = childOf(holder.pid)) !== undefined;
    if (!(await until(isStarted, 10_000)) || firstPid === undefined)
      throw new Error('No namespaces of processes, mounts and network can be created; tests of a cluster need root.');
    // Its programs start only after `unshare` has become `pause`, with its own /proc.
    await until(() => readFileSync(`/proc/${firstPid}/cmdline`, 'utf8').includes('pause'), 10_000);
    const node = new ClusterNode(folder, freeAddresses(), holder, firstPid);
    await node.mountOwnFolders();
    await node.connect();
    return node;
  }

  /** Runs a program inside to its end; resolves with its output. */
  async run(program: string, args: readonly string[]): Promise<string> {
    const { stdout } = await execute('nsenter', this.entering(program, args), { maxBuffer: 64 << 20 });
    return stdout;
  }

  /** Starts a program inside; its output is NAME.log of the node's folder. */
  async program(name: string, program: string, args: readonly string[]): Promise<NodeProgram> {
    const logPath = join(this.folder, `${name}.log`);
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn('nsenter', this.entering(program, args), { stdio: ['ignore', log, log], cwd: this.folder });
    closeSync(log);
    const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
    const ended = once(child, 'exit');
    let pid: number | undefined;
    await until(() => !isRunning() || (pid = childOf(child.pid)) !== undefined, 10_000);
    const text = (): string => readFileSync(logPath, 'utf8');
    const ownPid = pid;
    if (ownPid === undefined) throw new Error(`${name} has not started: ${text().trim().split('\n').at(-1) ?? ''}`);
    return {
      name,
      pid: ownPid,
      log: text,
      isRunning,
      kill: async (signal) => {
        if (!isRunning()) return;
        process.kill(ownPid, signal);
        await ended;
      },
    };
  }

  /** Ends all processes, and with them mounts and network. */
  async stop(): Promise<void> {
    if (this.holder.exitCode !== null || this.holder.signalCode !== null) return;
    const ended = once(this.holder, 'exit');
    process.kill(this.firstPid, 'SIGKILL');
    await ended;
  }

  private entering(program: string, args: readonly string[]): string[] {
    return [...['-t', String(this.firstPid), '--mount', '--net', '--pid', '--'], program, ...args];
  }

  private async mountOwnFolders(): Promise<void> {
    const bind = (from: string, to: string): Promise<string> => this.run('mount', ['--bind', from, to]);
    for (const path of ownFolders) {
      const own = join(this.folder, path);
      mkdirSync(own, { recursive: true });
      await bind(own, path);
    }
    for (const [name, value] of Object.entries(kernelSettings)) {
      const own = join(this.folder, name.replaceAll('/', '.'));
      writeFileSync(own, `${value}\n`);
      await bind(own, `/proc/sys/${name}`);
    }
  }

  /** A cable between this machine and the node. */
  private async connect(): Promise<void> {
    const { host, node, pods } = this.addresses;
    const cable = `fhk${host.split('.')[1]}`;
    const ip = (...args: string[]): Promise<unknown> => execute('ip', args);
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', String(this.firstPid));
    await ip('addr', 'add', `${host}/30`, 'dev', cable);
    await ip('link', 'set', cable, 'up');
    await this.run('ip', ['link', 'set', 'lo', 'up']);
    await this.run('ip', ['addr', 'add', `${node}/30`, 'dev', 'uplink']);
    await this.run('ip', ['link', 'set', 'uplink', 'up']);
    await this.run('ip', ['route', 'add', 'default', 'via', host]);
    await ip('route', 'add', pods, 'via', node);
  }
}

/** The process that `unshare` or `nsenter` has forked. */
function childOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0];
    return first ? Number(first) : undefined;
  } catch {
    return undefined; // it has ended
  }
}

/** Addresses that no interface of this machine has; each running cluster has an interface. */
function freeAddresses(): NodeAddresses {
  const taken = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const isFree = (number: number): boolean => !taken.some((address) => address.startsWith(`10.${number}.`));
  const free = Array.from({ length: 100 }, (_, index) => 100 + index).filter(isFree);
  const number = free[Math.floor(Math.random() * free.length)];
  if (number === undefined) throw new Error('All networks from 10.100 to 10.199 are in use on this machine.');
  const of = (rest: string): string => `10.${number}.${rest}`;
  return { host: of('0.1'), node: of('0.2'), pods: of('1.0/24'), services: of('2.0/24') };
}
