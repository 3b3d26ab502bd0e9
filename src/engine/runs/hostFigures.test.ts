import { expect, it } from 'vitest';
import type { Sample } from '../../domain/series/series';
import { Emitter } from '../base/emitter';
import { thisMachine } from '../fleet/node';
import { RunManager, type RunManagerOptions } from './runManager';

interface Shown {
  readonly id: string;
  readonly host: string;
  readonly figures: { take: (source: string, values: object) => object };
  running: boolean;
}

/** A fleet reduced to what the run manager needs for host figures. */
function fleetOf(...nodes: Shown[]): RunManagerOptions['fleet'] {
  const machine = nodes.find(({ id }) => id === 'local');
  return { changes: new Emitter(), nodes, machine } as unknown as RunManagerOptions['fleet'];
}

function tellersOf(fleet: RunManagerOptions['fleet']): string[] {
  const runManager = new RunManager({ fleet } as RunManagerOptions);
  const received: Sample[] = [];
  runManager.samples.on((samples) => received.push(...samples));
  runManager.host(1000, { networkOutMbps: 12 });
  return received.map(({ node }) => node);
}

it("are this machine's until the lab runs, and then also the lab's", () => {
  const figures = { take: (_: string, values: object) => values };
  const lab = { id: 'lab', host: thisMachine, figures, running: false };
  const local = { id: 'local', host: thisMachine, figures, running: false };
  const far = { id: 'srs', host: 'host 10.0.0.1', figures, running: true };
  expect(tellersOf(fleetOf(lab, local, far))).toEqual(['local']);
  lab.running = true;
  expect(tellersOf(fleetOf(lab, local, far))).toEqual(['lab', 'local']);
});
