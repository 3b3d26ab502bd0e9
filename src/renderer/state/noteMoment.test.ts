import { expect, it } from 'vitest';
import type { RunView } from '../../domain/run';
import { noteMoment } from './noteMoment';

const run = (endedMs?: number): RunView => ({ startedMs: 1000, endedMs }) as RunView;

it('is now while the run goes on, and its end while it is judged', () => {
  expect(noteMoment(run(), 5000)).toBe(4000);
  // The engine refuses a note of a moment after the end.
  expect(noteMoment(run(4500), 5000)).toBe(3500);
  expect(noteMoment(run(4500), 4400)).toBe(3400);
});
