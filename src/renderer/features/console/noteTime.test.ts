import { expect, it } from 'vitest';
import type { RunView } from '../../../domain/model/run';
import { noteTime } from './noteTime';

const run = (endedMs?: number): RunView => ({ startedMs: 1000, endedMs }) as RunView;

it('is now during the run, and its end while the verdict is pending', () => {
  expect(noteTime(run(), 5000)).toBe(4000);
  // The engine refuses a note after the end.
  expect(noteTime(run(4500), 5000)).toBe(3500);
  expect(noteTime(run(4500), 4400)).toBe(3400);
});
