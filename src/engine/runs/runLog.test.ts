import { expect, it } from 'vitest';
import type { RunEvent } from '../../domain/run';
import type { RunWriter } from '../store';
import { RunLog } from './runLog';

function logWith(event: RunWriter['event']): { log: RunLog; told: RunEvent[]; problems: string[] } {
  const told: RunEvent[] = [];
  const problems: string[] = [];
  const writer = { event } as RunWriter;
  let nowMs = 0;
  const log = new RunLog(
    writer,
    () => (nowMs += 10),
    (kept) => told.push(kept),
    (sentence) => problems.push(sentence),
  );
  return { log, told, problems };
}

it('tells of an event even when the file does not take it', () => {
  const { log, told, problems } = logWith(() => {
    throw new Error('the disk is full');
  });
  log.say('Stop');
  expect(told).toMatchObject([{ id: 1, sentence: 'Stop' }]);
  expect(problems).toEqual(['An event is not in the run file (the disk is full): Stop']);
});

it('ends a phase when the next begins, and begins none twice', () => {
  const { log, told } = logWith((event) => ({ ...event, id: 1 }));
  expect(log.phase('ramp', 'Ramp')).toBe(true);
  expect(log.phase('ramp', 'Ramp')).toBe(false);
  expect(log.phase('hold', 'Hold')).toBe(true);
  log.endPhase();
  expect(log.phases.map(({ name, endMs }) => [name, endMs !== undefined])).toEqual([
    ['ramp', true],
    ['hold', true],
  ]);
  expect(told.map(({ mark }) => mark)).toEqual(['phase', 'phase']);
});
