import { expect, it } from 'vitest';
import { thisMachine, type FleetNode } from '../fleet/node';
import { RunIntake, type IntakeParts } from './intake';
import type { NewEvent } from './watchers';

/** What is kept of the news of a node on that host. */
function keptOf(host: string): NewEvent[] {
  const kept: NewEvent[] = [];
  const node = { id: 'n', role: 'tester', host } as FleetNode;
  const parts = {
    nodes: () => new Map([['tester-1', node]]),
    connected: () => 0,
    log: { keep: (event: NewEvent) => kept.push(event) },
  } as unknown as IntakeParts;
  const news = {
    kind: 'said',
    timeMs: 7000,
    name: 'clock-stepped',
    stepMs: -3_600_400,
    sentence: 'x',
  } as const;
  new RunIntake(parts, {}).take(node, 'tester-1', news, 7100);
  return kept;
}

it('tells of a tester whose clock was set, by its name in the run and with the size of the step', () => {
  expect(keptOf('host 10.0.0.9')).toEqual([
    {
      timeMs: 7000,
      kind: 'node',
      mark: 'none',
      node: 'tester-1',
      who: 'tester-1',
      sentence: 'The clock of tester-1 was set back by 3,600 s; times of this run go on without the step.',
    },
  ]);
});

it('leaves the clock of this machine to the engine, which tells of it once', () => {
  expect(keptOf(thisMachine)).toEqual([]);
});
