import { expect, it } from 'vitest';
import type { RunEvent, RunView } from '../../domain/model/run';
import { RunRecord } from './runRecord.svelte';

const event = (id: number, timeMs: number): RunEvent => ({
  ...{ id, timeMs, kind: 'run', mark: 'none', who: 'run' },
  sentence: 'x',
});

it('lists events in order of time, those that it begins with too', () => {
  const run = { id: 'r', state: 'running', startedMs: 0, figures: { timeMs: 0 } } as unknown as RunView;
  const record = new RunRecord(run, [event(1, 7000), event(2, 6000), event(3, 9000)]);
  expect(record.events.map(({ id }) => id)).toEqual([2, 1, 3]);
  record.addEvent(event(4, 6000));
  expect(record.events.map(({ id }) => id)).toEqual([2, 4, 1, 3]);
});
