import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import type { NodeView } from '../../src/domain/model/node';
import type { TestEngine } from './support';
import { later } from './undo';

/** The engine's current view of one node. */
export async function viewOf(engine: TestEngine, id: string): Promise<NodeView> {
  const { nodes } = await engine.client.call('engine.state', {});
  const found = nodes.find((node) => node.id === id);
  if (!found) throw new Error(`Unknown node ${id}.`);
  return found;
}

/** Resolves with the first matching view of a node; rejects after `limitMs` with the last one. */
export async function waitForNode(
  engine: TestEngine,
  id: string,
  fits: (node: NodeView) => boolean,
  limitMs = 30_000,
): Promise<NodeView> {
  for (const endMs = Date.now() + limitMs; ;) {
    const view = await viewOf(engine, id);
    if (fits(view)) return view;
    if (Date.now() > endMs)
      throw new Error(`No such view of ${id} within ${limitMs} ms; the last was ${JSON.stringify(view, null, 1)}`);
    await pause(50);
  }
}

export const isLive = (node: NodeView): boolean => node.state === 'live';

/** Confirms a node's host key, like a user who has compared it. */
export async function trustKey(engine: TestEngine, id: string): Promise<NodeView> {
  const view = await waitForNode(engine, id, ({ hostKey }) => hostKey !== undefined);
  await engine.client.call('nodes.trustHostKey', {
    node: id,
    fingerprint: view.hostKey?.fingerprint ?? '',
  });
  return view;
}

/** Arrival times of samples of one series from each node, by the local clock: a delay shows as a gap. */
export function arrivals(engine: TestEngine, series: string): (node: string) => number[] {
  const times = new Map<string, number[]>();
  engine.client.on('samples', ({ keys, key }) => {
    const nowMs = Date.now();
    for (const index of key) {
      const of = keys[index];
      if (of?.series !== series) continue;
      const known = times.get(of.node);
      if (known) known.push(nowMs);
      else times.set(of.node, [nowMs]);
    }
  });
  return (node) => times.get(node) ?? [];
}

/** The longest interval between two of them, in ms. */
export function longestGap(times: readonly number[]): number {
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

/** A proxy to a server that can be closed, like a stopped server, and reopened at the same address. */
export interface Gate {
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function gateTo(target: string): Promise<Gate> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(to.port), to.hostname);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => each.destroy()).on('close', () => sockets.delete(each));
    }
    socket.on('close', () => onward.destroy()).pipe(onward);
    onward.on('close', () => socket.destroy()).pipe(socket);
  });
  const open = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  const shut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open(0);
  const { port } = server.address() as AddressInfo;
  later(shut);
  return {
    url: `http://127.0.0.1:${port}${to.pathname === '/' ? '' : to.pathname}`,
    shut,
    open: () => open(port),
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
