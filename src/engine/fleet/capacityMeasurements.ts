import type { CapacityTest } from '../../domain/model/capacity';
import type { CapacityView } from '../../domain/model/node';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { CommandRunner } from '../iperf/commandRunner';
import { localRunner } from '../iperf/localRunner';
import { measureCapacity } from '../iperf/measureCapacity';
import type { Fleet } from './fleet';
import { isRemote, type FleetNode } from './node';

export interface CapacityOrder {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'tcp' | 'udp';
  readonly seconds: number;
  readonly bitrateMbps?: number;
  readonly port?: number;
}

/** iperf3 between two nodes, one measurement at a time: two would share the bandwidth. */
export class CapacityMeasurements {
  readonly progress = new Emitter<CapacityTest>();
  private readonly results = new Map<string, CapacityView>();
  private active: { readonly id: string; readonly abort: AbortController } | undefined;
  private lastId = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly clock: Clock,
  ) {}

  /** The latest measurement of a node. */
  of(node: string): CapacityView | undefined {
    return this.results.get(node);
  }

  /** Starts a measurement; its progress is reported by `progress`. Throws a sentence when it can't start. */
  start(order: CapacityOrder): string {
    if (this.active) throw new FullhouseError('busy', 'Another measurement is running; wait for it or cancel it.');
    if (order.from === order.to) throw new FullhouseError('same-node', 'Choose two different nodes.');
    const from = this.fleet.node(order.from);
    const to = this.fleet.node(order.to);
    if (from.host === to.host)
      throw new FullhouseError(
        'same-host',
        `${order.from} and ${order.to} run on the same machine; there is no network between them to measure.`,
      );
    this.lastId += 1;
    const id = `capacity-${this.lastId}`;
    const abort = new AbortController();
    this.active = { id, abort };
    void this.run(id, order, from, to, abort.signal);
    return id;
  }

  cancel(id: string): void {
    if (this.active?.id === id) this.active.abort.abort();
  }

  close(): void {
    this.active?.abort.abort();
  }

  private async run(
    id: string,
    order: CapacityOrder,
    from: FleetNode,
    to: FleetNode,
    signal: AbortSignal,
  ): Promise<void> {
    const { protocol, seconds, port, bitrateMbps } = order;
    const test: CapacityTest = {
      id,
      from: from.id,
      to: to.id,
      protocol,
      seconds,
      state: 'running',
      progress: 0,
    };
    this.progress.emit(test);
    try {
      const [near, far] = await Promise.all([runnerOf(from, this.clock), runnerOf(to, this.clock)]);
      // This machine can often not be reached from outside. Then it connects, and has the data sent back if it is the
      // receiver.
      const isReverse = far.address === undefined;
      const server = isReverse ? near : far;
      if (server.address === undefined)
        throw new FullhouseError('no-address', `${server.runner.who} has no address that the other node can reach.`);
      const result = await measureCapacity({
        server: server.runner,
        client: isReverse ? far.runner : near.runner,
        serverAddress: server.address,
        port,
        protocol,
        direction: isReverse ? 'fromServer' : 'toServer',
        seconds,
        bitrateMbps,
        signal,
        clock: this.clock,
        onProgress: (progress) => this.progress.emit({ ...test, progress }),
      });
      const { mbps, retransmits, lossPercent, jitterMs } = result;
      const measured = { mbps, protocol, measuredMs: this.clock.now() };
      this.results.set(from.id, { ...measured, between: to.id, direction: 'out' });
      this.results.set(to.id, { ...measured, between: from.id, direction: 'in' });
      this.active = undefined;
      this.progress.emit({ ...test, state: 'done', progress: 1, mbps, retransmits, lossPercent, jitterMs });
    } catch (error) {
      this.active = undefined;
      this.progress.emit(
        signal.aborted
          ? { ...test, state: 'cancelled' }
          : { ...test, state: 'failed', problem: (error as Error).message },
      );
    }
  }
}

async function runnerOf(
  node: FleetNode,
  clock: Clock,
): Promise<{ readonly runner: CommandRunner; readonly address?: string }> {
  if (!isRemote(node)) return { runner: localRunner('this machine', clock) };
  const link = await node.shell();
  return {
    runner: { who: node.id, run: (...args) => link.run(...args), follow: (...args) => link.follow(...args) },
    address: link.remote.host,
  };
}
