import { expect, it } from 'vitest';
import type { Incident } from './incident';
import { runEventsOf } from './runEvents';

const incident = (over: Partial<Incident>): Incident => ({
  ...{ id: 'a-1', rule: 'node-lost', kind: 'node-lost', severity: 'critical', node: 'origin', nodes: ['origin'] },
  ...{ subjects: ['origin'], causes: [], firing: [], places: [], beganMs: 1000, endedMs: 5000, lastMs: 5000, count: 1 },
  ...{ began: 'origin is lost.', ended: 'origin is back after 4 s.', unwatched: [] },
  ...over,
});

it('has the begin and the end of an incident, in order of time', () => {
  const restarted = incident({ kind: 'process-restarted', beganMs: 3000, endedMs: 3000, began: 'Restarted.' });
  const { ended: _, ...moment } = restarted;
  expect(runEventsOf([incident({}), moment], 0, 10_000)).toEqual([
    { kind: 'node', mark: 'lost', node: 'origin', who: 'origin', timeMs: 1000, sentence: 'origin is lost.' },
    { kind: 'node', mark: 'lost', node: 'origin', who: 'origin', timeMs: 3000, sentence: 'Restarted.' },
    {
      kind: 'node',
      mark: 'recovered',
      node: 'origin',
      who: 'origin',
      timeMs: 5000,
      sentence: 'origin is back after 4 s.',
    },
  ]);
});

it('leaves out what is not in the range, and counts what happened again', () => {
  const flapping = incident({ kind: 'level', count: 1000 });
  expect(runEventsOf([flapping], 500, 2000)).toMatchObject([
    { kind: 'threshold', mark: 'limit', sentence: 'origin is lost. (1000 times)' },
  ]);
});
