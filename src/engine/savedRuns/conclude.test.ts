import { describe, expect, it } from 'vitest';
import type { RunView } from '../../domain/model/run';
import { conclude } from './conclude';
import { runEndSentence } from '../runs/runEnd';
import { emptyFigures } from '../runs/figures';

const view: RunView = {
  id: 'r',
  name: 'r',
  state: 'stopping',
  plan: {
    name: 'r',
    nodes: { o: { server: 'lab' }, a: { tester: 'local' } },
    publish: [],
    pull: {
      stream: 'cam',
      from: 'o',
      by: ['a'],
      protocol: 'whep',
      viewers: 1,
      ratePerSecond: 1,
      holdMs: 1000,
    },
    expect: {},
  },
  nodes: [],
  startedMs: 0,
  phases: [],
  figures: emptyFigures(0, 1),
  failures: [],
  readOnly: false,
};
const reader = { values: () => ({ timeMs: [], value: [] }) };

describe('a run', () => {
  it('that could not be started says so, with the reason', () => {
    expect(conclude({ view, failure: 'The port is taken.', lostTesters: [] }, reader).verdict).toEqual({
      verdict: 'not-started',
      sentence: 'The run could not be started: The port is taken.',
      reasons: [],
      headroom: [],
    });
  });

  it('names a paused console before its testers', () => {
    const lostTesters = [
      { node: 'a', timeMs: 9000, sentence: 'a: No console connected for 10s: 300 viewers disconnected.' },
    ];
    expect(conclude({ view, lostTesters, pauses: [3000, 15_200] }, reader).verdict).toMatchObject({
      verdict: 'inconclusive',
      sentence: `This console did not run for 15 s: its process was stopped or its machine asleep or overloaded. The origin can't be judged. ${lostTesters[0]?.sentence}`,
    });
    // A pause that lost nothing changes no verdict.
    const { verdict } = conclude({ view, lostTesters: [], pauses: [3000] }, reader);
    expect(verdict.sentence).not.toContain('did not run');
  });

  it('is inconclusive when a tester stopped', () => {
    const lostTesters = [{ node: 'a', timeMs: 9000, sentence: 'a: it was ended by SIGKILL.' }];
    const { verdict } = conclude({ view, lostTesters }, reader);
    expect(verdict).toMatchObject({
      verdict: 'inconclusive',
      reasons: [{ number: 1, causedBy: 'tester-lost', node: 'a', timeMs: 9000 }],
    });
    expect(verdict.sentence).toContain('a: it was ended by SIGKILL.');
  });
});

it.each([
  [false, 0, undefined, 'Ended before any viewer was requested'],
  [true, 0, 0, 'Ended; all viewers disconnected, confirmed by origin'],
  [true, 0, 3, 'Ended; all viewers disconnected, but the origin still counts 3'],
  [true, 0, undefined, 'Ended; all viewers disconnected, not confirmed: the origin reports no number of viewers'],
  [true, 2, 0, 'Ended; 2 viewers could not be disconnected'],
] as const)('the end sentence: %j %j %j', (hadViewers, present, origin, sentence) => {
  expect(runEndSentence(hadViewers, present, origin)).toBe(sentence);
});

it('the end sentence names sessions that end later', () => {
  const timeout = "HLS sessions end by the server's timeout";
  expect(runEndSentence(true, 0, 10, timeout)).toBe(
    `Ended; all viewers disconnected; the origin still counts 10: ${timeout}`,
  );
  expect(runEndSentence(true, 0, 0, timeout)).toBe('Ended; all viewers disconnected, confirmed by origin');
});
