import { execFileSync, spawn, type ChildProcess } from 'node:child_process';

/** Two machines on one: network namespaces joined by a virtual cable that can be pulled. Requires root. */
export interface TwoHosts {
  readonly console: Host;
  readonly origin: Host;
  /** Pulls the cable: from now on every packet is lost silently. */
  cut(): void;
  restore(): void;
  remove(): void;
}

export interface Host {
  readonly namespace: string;
  readonly address: string;
  /** Starts a program there; its process id is the program's own. */
  spawn(argv: readonly string[], options?: Parameters<typeof spawn>[2]): ChildProcess;
}

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });

/** Addresses from a block unlikely to be in use: two hosts of 10.213.N.0/30. */
export function makeTwoHosts(): TwoHosts {
  const id = `${process.pid % 100_000}`;
  const net = `10.213.${process.pid % 250}`;
  const cable = { console: `fhc${id}`, origin: `fho${id}` };
  const host = (name: 'console' | 'origin', last: number): Host => {
    const namespace = `fh-${name}-${id}`;
    const address = `${net}.${last}`;
    return {
      namespace,
      address,
      spawn: (argv, options = {}) => spawn('ip', ['netns', 'exec', namespace, ...argv], options),
    };
  };
  const hosts = { console: host('console', 1), origin: host('origin', 2) };
  const all = [hosts.console, hosts.origin];
  for (const { namespace } of all) ip('netns', 'add', namespace);
  ip('link', 'add', cable.console, 'type', 'veth', 'peer', 'name', cable.origin);
  for (const name of ['console', 'origin'] as const) {
    const { namespace, address } = hosts[name];
    ip('link', 'set', cable[name], 'netns', namespace);
    ip('-n', namespace, 'address', 'add', `${address}/30`, 'dev', cable[name]);
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('-n', namespace, 'link', 'set', cable[name], 'up');
  }
  const neighbour = (name: 'console' | 'origin', other: 'console' | 'origin', lladdr: string): void => {
    ip(
      ...['-n', hosts[name].namespace, 'neighbour', 'replace', hosts[other].address],
      ...['lladdr', lladdr, 'dev', cable[name], 'nud', 'permanent'],
    );
  };
  const hardwareOf = (name: 'console' | 'origin'): string =>
    /link\/ether (\S+)/.exec(ip('-n', hosts[name].namespace, 'link', 'show', cable[name]))?.[1] ?? '';
  const real = { console: hardwareOf('console'), origin: hardwareOf('origin') };
  return {
    ...hosts,
    // Frames to an unused hardware address are lost silently, as on a broken path; a link that is down would be
    // reported.
    cut: () => {
      neighbour('console', 'origin', '02:00:00:00:00:01');
      neighbour('origin', 'console', '02:00:00:00:00:02');
    },
    restore: () => {
      neighbour('console', 'origin', real.origin);
      neighbour('origin', 'console', real.console);
    },
    remove: () => {
      for (const { namespace } of all) ip('netns', 'delete', namespace);
    },
  };
}
