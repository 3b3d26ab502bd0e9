import { expect, it } from 'vitest';
import type { RunEvent } from '../../domain/model/run';
import type { RunWriter } from '../store';
import { Emitter } from '../base/emitter';
import { RunLog } from './runLog';
import type { RunOutput } from './runOutput';

function logWith(event: RunWriter['event']): { log: RunLog; emitted: RunEvent[]; problems: string[] } {
  const emitted: RunEvent[] = [];
  const problems: string[] = [];
  const writer = { event } as RunWriter;
  let nowMs = 0;
  const output = new Emitter<RunOutput>();
  output.on((each) => {
    if (each.kind === 'event') emitted.push(each.event);
    if (each.kind === 'problem') problems.push(each.sentence);
  });
  const log = new RunLog(writer, () => (nowMs += 10), output);
  return { log, emitted, problems };
}

it('emits an event even when the file can’t be written', () => {
  const { log, emitted, problems } = logWith(() => {
    throw new Error('the disk is full');
  });
  log.say('Stop');
  expect(emitted).toMatchObject([{ id: 1, sentence: 'Stop' }]);
  expect(problems).toEqual(['An event could not be saved in the run file (the disk is full): Stop']);
});

it('ends a phase when the next starts, and starts none twice', () => {
  const { log, emitted } = logWith((event) => ({ ...event, id: 1 }));
  expect(log.phase('ramp', 'Ramp')).toBe(true);
  expect(log.phase('ramp', 'Ramp')).toBe(false);
  expect(log.phase('hold', 'Hold')).toBe(true);
  log.endPhase();
  expect(log.phases.map(({ name, endMs }) => [name, endMs !== undefined])).toEqual([
    ['ramp', true],
    ['hold', true],
  ]);
  expect(emitted.map(({ mark }) => mark)).toEqual(['phase', 'phase']);
});
