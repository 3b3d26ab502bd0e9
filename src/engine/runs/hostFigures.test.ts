import { expect, it } from 'vitest';
import type { Sample } from '../../domain/series';
import { Emitter } from '../emitter';
import { thisMachine } from '../fleet/node';
import { Conductor, type ConductorOptions } from './conductor';

interface Shown {
  readonly id: string;
  readonly host: string;
  readonly figures: { take: (source: string, values: object) => object };
  running: boolean;
}

/** A fleet of which only what the conductor asks about host figures is there. */
function fleetOf(...nodes: Shown[]): ConductorOptions['fleet'] {
  const machine = nodes.find(({ id }) => id === 'local');
  return { news: new Emitter(), nodes, machine } as unknown as ConductorOptions['fleet'];
}

function tellersOf(fleet: ConductorOptions['fleet']): string[] {
  const conductor = new Conductor({ fleet } as ConductorOptions);
  const told: Sample[] = [];
  conductor.samples.on((samples) => told.push(...samples));
  conductor.host(1000, { networkOutMbps: 12 });
  return told.map(({ node }) => node);
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
