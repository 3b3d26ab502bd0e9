import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** A running process of a drill. */
export interface DrillProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its program and first argument, e.g. `fullhouse-agent audience`. */
  readonly name: string;
}

/** All running processes with a mark in their environment. Zombies have none. */
export function markedProcesses(mark: string): DrillProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const pid = Number(name);
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark)) return [];
      const [program = '', first = ''] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid, parent, name: `${basename(program)} ${first}`.trim() }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** The agent in a role: `audience` (also of a tester behind SSH) or `lab`. */
export function agentOf(mark: string, role: 'audience' | 'lab'): DrillProcess {
  const isMeant = ({ pid, name }: DrillProcess): boolean => {
    if (!name.startsWith('fullhouse-agent')) return false;
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return args[1] === role || (args[1] === 'detached' && args[2] === role);
  };
  const found = markedProcesses(mark).find(isMeant);
  if (!found) throw new Error(`No ${role} agent of ${mark} is running.`);
  return found;
}

/** Sends a signal to each; one that has ended meanwhile is skipped. */
export function signal(processes: readonly { readonly pid: number }[], name: NodeJS.Signals): void {
  for (const { pid } of processes)
    try {
      process.kill(pid, name);
    } catch {
      // ended meanwhile
    }
}

/** Addresses by the number of their socket, e.g. `udp 127.0.0.1:4711`. */
export type Ports = ReadonlyMap<string, string>;

/** Ports that processes listen at or have bound. */
export function portsOf(processes: readonly DrillProcess[]): Ports {
  const ports = new Map<string, string>();
  for (const { pid } of processes) {
    const bound = boundPorts(pid);
    for (const socket of socketsOf(pid)) {
      const port = bound.get(socket);
      if (port !== undefined) ports.set(socket, port);
    }
  }
  return ports;
}

/** Those of `before` that still exist in the network of a process. */
export function remainingPorts(before: Ports, inNetworksOf: readonly number[]): string[] {
  const now = new Map(inNetworksOf.flatMap((pid) => [...boundPorts(pid)]));
  return [...before].filter(([socket, port]) => now.get(socket) === port).map(([, port]) => port);
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((file) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${file}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    });
  } catch {
    return [];
  }
}

/** All ports in the network of a process: of TCP those that listen, of UDP all. */
function boundPorts(pid: number): Map<string, string> {
  const ports = new Map<string, string>();
  for (const protocol of ['tcp', 'tcp6', 'udp', 'udp6']) {
    for (const line of linesOf(`/proc/${pid}/net/${protocol}`).slice(1)) {
      const [, local = '', , state, , , , , , socket = '0'] = line.trim().split(/\s+/);
      if (socket === '0' || (protocol.startsWith('tcp') && state !== listening)) continue;
      ports.set(socket, `${protocol} ${Number.parseInt(local.split(':')[1] ?? '', 16)}`);
    }
  }
  return ports;
}

/** State of a listening socket in /proc/net/tcp. */
const listening = '0A';

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}
