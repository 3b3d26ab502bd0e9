import { describe, expect, it } from 'vitest';
import type { Plan, PlanHook } from '../model/plan';
import type { PlanTokens } from '../model/viewerTokens';
import { samplePlan } from '../../../tests/support/samplePlan';
import { consentFacts } from '../../../tests/support/consentFacts';
import { consentOf } from './planConsent';

const textsOf = (plan: Plan): readonly string[] => consentOf(plan, consentFacts()).items.map(({ text }) => text);

const hookText = (hook: PlanHook): string => textsOf(samplePlan({}, { hooks: [hook] }))[0] ?? '';

describe('the text of what the user allows', () => {
  it('names the program of a hook with every argument in quotes', () => {
    expect(hookText({ at: 'end', run: ['notify', 'all done', ''] })).toBe(
      'at end: run "notify" "all done" "" on this machine',
    );
    expect(hookText({ at: 'start', post: 'https://example.org/runs?token=abc' })).toBe(
      "at start: send the run's figures to https://example.org/runs?token=•••",
    );
  });

  it('names the program that writes the tokens of viewers', () => {
    const tokens = (command: PlanTokens['command']) => textsOf(samplePlan({ tokens: { command } }));
    expect(tokens(['make-tokens', 'cam 1'])).toEqual([
      'before viewers connect: run "make-tokens" "cam 1" on this machine, for their tokens',
    ]);
    expect(tokens(undefined)).toEqual([]);
  });
});
