import { expect, it } from 'vitest';
import { decide, type TrialJudgement } from './trialJudgement';

const met = { result: 'met', sentence: '' } as const;
const missed = { result: 'missed', sentence: '' } as const;
const close = <T extends TrialJudgement>(look: T): T => ({ ...look, isClose: true });
const tester = { result: 'tester-limited', sentence: '' } as const;
const unknown = { result: 'unknown', sentence: '' } as const;

it.each<[readonly TrialJudgement[], ReturnType<typeof decide>]>([
  [[], undefined],
  [[met], { result: 'met', isDisputed: false }],
  [[missed], { result: 'missed', isDisputed: false }],
  [[close(missed)], undefined],
  [[close(missed), met], undefined],
  [[close(missed), missed], { result: 'missed', isDisputed: false }],
  [[close(missed), met, met], { result: 'met', isDisputed: true }],
  [[tester], undefined],
  [[tester, tester], { result: 'tester-limited', isDisputed: false }],
  [[tester, missed, tester], { result: 'tester-limited', isDisputed: true }],
  [[tester, missed, close(met)], { result: 'unknown', isDisputed: true }],
  [[unknown], undefined],
  [[unknown, unknown, met], { result: 'met', isDisputed: false }],
  [[unknown, unknown, unknown], { result: 'unknown', isDisputed: true }],
])('of %j results in %j', (judgements, decision) => {
  expect(decide(judgements)).toEqual(decision);
});
