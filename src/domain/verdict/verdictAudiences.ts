import type { FailedAudience, Finding, Judged } from '../evidence/evidence';
import { allAudiences } from '../plan/audiences';
import { firstOfEach } from '../tester/testerEffects';
import { formatCount } from '../text/numberFormat';

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

/** With more audiences than this, those whose viewers were all connected share a sentence. */
const maxEach = 3;

/** The sentences of what was met. */
export function headroomSentences(findings: readonly Finding[]): string[] {
  const met = findings.filter(({ result }) => result === 'met');
  const full = met.filter(
    ({ expectation, audience, measured }) => expectation === 'connected' && audience !== undefined && measured === 100,
  );
  if (full.length <= maxEach) return met.map(({ sentence }) => sentence);
  return [
    `All viewers of ${formatCount(full.length)} audiences were connected at the end of their holds.`,
    ...met.filter((each) => !full.includes(each)).map(({ sentence }) => sentence),
  ];
}
