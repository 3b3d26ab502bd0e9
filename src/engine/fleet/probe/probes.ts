import type { ProbeView } from '../../../domain/probe';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../clock';
import { Emitter } from '../../emitter';
import type { Fleet } from '../fleet';
import type { HostKeyDesk } from '../hostKeyDesk';
import type { ProbeOrder } from './order';
import { Probe } from './probe';

/** The looks at addresses that are under way, at most one by each name. */
export class Probes {
  readonly view = new Emitter<ProbeView>();
  private readonly all = new Map<string, Probe>();

  constructor(
    private readonly fleet: Fleet,
    private readonly hostKeys: HostKeyDesk,
    private readonly clock: Clock,
  ) {}

  /** Throws one sentence for an address that is none; what is found comes by `view`. */
  start(order: ProbeOrder): void {
    this.end(order.probe);
    const probe = new Probe(order, {
      clock: this.clock,
      hostKeys: this.hostKeys,
      freeName: (wish) => this.freeName(wish),
      onView: (view) => {
        if (this.all.get(order.probe) === probe) this.view.emit(view);
      },
    });
    this.all.set(order.probe, probe);
    void probe.run();
  }

  trust(name: string, fingerprint: string): void {
    const probe = this.all.get(name);
    if (!probe) throw new FullhouseError('no-probe', 'This address is no longer looked at; type it again.');
    probe.trust(fingerprint);
  }

  end(name: string): void {
    this.all.get(name)?.close();
    this.all.delete(name);
  }

  close(): void {
    for (const name of [...this.all.keys()]) this.end(name);
  }

  private freeName(wish: string): string {
    const base =
      wish
        .replace(/[^A-Za-z0-9._-]+/g, '-')
        .replace(/^[^A-Za-z0-9]+/, '')
        .slice(0, 50) || 'node';
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}-${number}`;
      if (!this.fleet.find(name)) return name;
    }
  }
}
