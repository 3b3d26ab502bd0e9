import type { FailedAudience, Finding, Judged } from '../evidence/evidence';
import { allAudiences } from '../plan/audiences';
import { firstOfEach } from '../tester/testerEffects';

/** Audiences that could not be started: a fail, unless one of their testers refused its viewers. */
export function judgeFailedAudiences(
  { view, refused = [] }: Judged,
  failedAudiences: readonly FailedAudience[] = [],
): readonly Finding[] {
  const audiences = allAudiences(view.plan);
  return failedAudiences.map(({ audience, timeMs, sentence }) => {
    const { by = [] } = audiences.find(({ name }) => name === audience)?.pull ?? {};
    return {
      result: 'failed',
      expectation: 'connected',
      sentence: `Audience ${audience} could not be started: ${sentence}`,
      expected: 'expected to start',
      timeMs,
      invalidatedBy: firstOfEach(refused.filter(({ node }) => by.includes(node))),
    };
  });
}
