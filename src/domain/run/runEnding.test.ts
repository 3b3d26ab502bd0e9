import { expect, it } from 'vitest';
import type { ReasonCause, RunView, VerdictName } from '../model/run';
import { endingOf } from './runEnding';
import { startMs, viewOf } from '../../../tests/support/verdictRun';
import { audienceIn } from '../../../tests/support/pullPlan';

const verdict = (name: VerdictName, causedBy?: ReasonCause, node?: string): RunView['verdict'] => ({
  ...{ verdict: name, sentence: `${name}.`, headroom: [] },
  reasons: causedBy ? [{ number: 1, sentence: `${node} stopped.`, expected: '', timeMs: startMs, node, causedBy }] : [],
});
const timeMs = startMs + 13_000;
const { figures } = viewOf();
const failed = { ...figures, connectedPeak: 0, failed: 1000 };
const prepare = [{ name: 'prepare', startMs }] as const;
const two = { ...viewOf().plan, pull: { ...audienceIn(viewOf().plan), by: ['tester', 'other'] } };

it.each<[string, Partial<RunView>, string, string]>([
  ['its plan', { verdict: verdict('pass') }, 'ended by plan', 'Ended by plan.'],
  [
    'a failing origin at the end of the plan',
    { verdict: verdict('fail', 'origin', 'origin') },
    'ended by plan',
    'Ended by plan.',
  ],
  ['a killed tester', { verdict: verdict('inconclusive', 'tester-lost', 'tester') }, 'tester lost', 'tester stopped.'],
  [
    'its plan, with one of two testers lost',
    { verdict: verdict('inconclusive', 'tester-lost', 'tester'), plan: two },
    'ended by plan',
    'Ended by plan.',
  ],
  ['a dead origin', { verdict: verdict('fail', 'origin-lost', 'origin') }, 'origin lost', 'origin stopped.'],
  [
    'a dead origin whose viewers were all lost',
    { verdict: verdict('fail', 'origin-lost', 'origin'), earlyEnd: { kind: 'no-viewers', timeMs } },
    'origin lost',
    'origin stopped.',
  ],
  [
    'the failure of all viewers',
    { verdict: verdict('fail'), figures: failed, earlyEnd: { kind: 'no-viewers', timeMs } },
    'all viewers failed',
    'No viewer connected.',
  ],
  [
    'the end of a ramp in which some failed and none connected',
    { verdict: verdict('fail'), figures: { ...failed, failed: 1 }, earlyEnd: { kind: 'no-viewers', timeMs } },
    'no viewer connected',
    'No viewer connected.',
  ],
  [
    'the failure of all viewers, in a run of an older version',
    { verdict: verdict('fail'), figures: failed },
    'all viewers failed',
    'No viewer connected.',
  ],
  [
    'the loss of all viewers',
    { verdict: verdict('fail'), earlyEnd: { kind: 'no-viewers', timeMs } },
    'no viewers left',
    'All viewers were disconnected before the planned end, at 00:00:13.',
  ],
  [
    'a stop condition',
    { verdict: verdict('fail'), earlyEnd: { kind: 'stop-condition', timeMs, sentence: 'Too many.' } },
    'stop condition',
    'Too many.',
  ],
  ['the user', { verdict: verdict('stopped'), earlyEnd: { kind: 'user', timeMs } }, 'stopped', 'Stopped at 00:00:13.'],
  ['the user, in a run of an older version', { verdict: verdict('stopped') }, 'stopped', 'Stopped.'],
  ['a killed engine', { verdict: verdict('interrupted') }, 'interrupted', 'interrupted.'],
  [
    'a start that failed',
    {
      verdict: verdict('inconclusive'),
      phases: prepare,
      earlyEnd: { kind: 'not-started', timeMs, sentence: 'The port is taken.' },
    },
    'not started',
    'The port is taken.',
  ],
  [
    'testers that refused all viewers once the ramp had begun',
    {
      verdict: verdict('inconclusive'),
      figures: { ...figures, connectedPeak: 0, failed: 0 },
      earlyEnd: { kind: 'not-started', timeMs: startMs, sentence: 'The list has 2 tokens.' },
    },
    'not started',
    'The list has 2 tokens.',
  ],
])('a run is ended by %s', (_, change, text, sentence) => {
  expect(endingOf(viewOf({ state: 'ended', ...change }))).toMatchObject({ text, sentence });
});

it('has no ending while active', () => {
  expect(endingOf(viewOf())).toBeUndefined();
});
