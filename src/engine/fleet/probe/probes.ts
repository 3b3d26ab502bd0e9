import type { ProbeView } from '../../../domain/model/probe';
import { asNodeName } from '../../../domain/plan/planNames';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import type { Fleet } from '../fleet';
import type { HostKeyStore } from '../hostKeyStore';
import type { ProbeOrder } from './hostProbe';
import { Probe } from './probe';

/** The running probes, at most one per name. */
export class Probes {
  readonly view = new Emitter<ProbeView>();
  private readonly all = new Map<string, Probe>();

  constructor(
    private readonly fleet: Fleet,
    private readonly hostKeys: HostKeyStore,
    private readonly clock: Clock,
    private readonly familiesFolder?: string,
  ) {}

  /** Throws one sentence for an invalid address; findings are reported by `view`. */
  start(order: ProbeOrder): void {
    const before = this.all.get(order.probe);
    this.end(order.probe);
    const probe = new Probe(order, {
      // The user may be confirming the key that the previous probe has shown.
      hostKey: before?.order.address === order.address ? before.hostKey : undefined,
      clock: this.clock,
      hostKeys: this.hostKeys,
      familiesFolder: this.familiesFolder,
      tester: () => this.fleet.machineDriver(),
      freeName: (requestedName) => this.freeName(requestedName),
      onView: (view) => {
        if (this.all.get(order.probe) === probe) this.view.emit(view);
      },
    });
    this.all.set(order.probe, probe);
    void probe.run();
  }

  trust(name: string, fingerprint: string): void {
    const probe = this.all.get(name);
    if (!probe) throw new FullhouseError('no-probe', 'This probe has ended; enter the address again.');
    probe.trust(fingerprint);
  }

  end(name: string): void {
    this.all.get(name)?.close();
    this.all.delete(name);
  }

  close(): void {
    for (const name of [...this.all.keys()]) this.end(name);
  }

  private freeName(requestedName: string): string {
    const base = asNodeName(requestedName);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}-${number}`;
      if (!this.fleet.find(name)) return name;
    }
  }
}
