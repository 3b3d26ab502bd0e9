import { expect, it } from 'vitest';
import { thisMachine, type FleetNode } from '../fleet/node';
import type { RunData } from './runData';
import { RunNodes } from './runParts';
import { SampleRouter } from './sampleRouter';
import { PublisherWatch } from './watch/publishers';
import type { NewEvent } from './watchers';

/** What is recorded of a change of a node on that host. */
function keptOf(host: string): NewEvent[] {
  const kept: NewEvent[] = [];
  const node = { id: 'n', role: 'tester', host } as FleetNode;
  const data = {
    plan: { pull: {}, expect: {} },
    nodes: new RunNodes(new Map([['tester-1', node]])),
    log: { keep: (event: NewEvent) => kept.push(event), keepAll: (events: NewEvent[]) => kept.push(...events) },
    publishers: new PublisherWatch(),
  } as unknown as RunData;
  const change = {
    kind: 'message',
    timeMs: 7000,
    name: 'clock-stepped',
    stepMs: -3_600_400,
    sentence: 'x',
  } as const;
  new SampleRouter(data).take(node, 'tester-1', change, 7100);
  return kept;
}

it('reports a tester whose clock was set, with its name in the run and the step', () => {
  expect(keptOf('host 10.0.0.9')).toEqual([
    {
      timeMs: 7000,
      kind: 'node',
      mark: 'none',
      node: 'tester-1',
      who: 'tester-1',
      sentence: 'The clock of tester-1 was set back by 3,600 s; times of this run continue without the step.',
    },
  ]);
});

it('leaves the clock of this machine to the engine, which reports it once', () => {
  expect(keptOf(thisMachine)).toEqual([]);
});
