import type { ReasonCause, VerdictName } from '../run';
import type { Finding, LostOrigin, LostTester, Spoiler } from './judged';

/** All that speaks for or against a run. */
export interface Evidence {
  /** A person stopped it before its own end. */
  readonly isStopped: boolean;
  readonly findings: readonly Finding[];
  readonly lostOrigins?: readonly LostOrigin[];
  readonly lostTesters?: readonly LostTester[];
}

/** One reason of a verdict, before it has its number. */
export type Claim = Omit<Finding, 'result' | 'spoiltBy'> & { readonly causedBy: ReasonCause };

export interface Decision {
  readonly verdict: VerdictName;
  /** What decided it, in the order in which it is told; empty for a pass. The first is the reason of the run. */
  readonly deciding: readonly Claim[];
  /** What else there is to tell. */
  readonly others: readonly Claim[];
}

/**
 * The precedence of verdicts; the first that applies decides:
 *
 * 1. stopped: a person ended the run early, so nothing is decided. That viewers were missing is not held against it.
 * 2. fail: an origin stopped answering.
 * 3. inconclusive: a tester stopped, so what its viewers saw is incomplete.
 * 4. fail: an expectation was missed that nobody but the origin can have spoilt.
 * 5. inconclusive: expectations were missed, each spoilt by other programs on the machine or by a tester at its own limit.
 * 6. inconclusive: what the plan itself expects was not measured, or nothing was.
 * 7. pass.
 */
export function decide({ isStopped, findings, lostOrigins = [], lostTesters = [] }: Evidence): Decision {
  const failed = findings.filter(
    ({ result, expectation }) => result === 'failed' && !(isStopped && expectation === 'connected'),
  );
  const originsLost = byTime(lostOrigins.map(ofLostOrigin));
  const testersLost = byTime(lostTesters.map(ofLostTester));
  const certain = byTime(
    failed.filter((finding) => !isSpoilt(finding)).map((finding) => claim(finding, 'origin')),
  );
  const spoilers = spoilersOf(failed);
  const [spoiler] = spoilers;
  const spoilt = byTime(
    failed.filter(isSpoilt).map((finding) => claim(finding, finding.spoiltBy?.[0]?.cause ?? 'tester')),
  );
  const unmeasured = isStopped
    ? []
    : byTime(unmeasuredOf(findings).map((finding) => claim(finding, 'unmeasured')));

  const order = [originsLost, testersLost, certain, spoilers.map(ofSpoiler), spoilt, unmeasured];
  const verdictBy = (deciding: readonly Claim[], verdict: VerdictName): Decision => ({
    verdict,
    deciding,
    others: order.filter((claims) => claims !== deciding).flat(),
  });
  if (isStopped) return { verdict: 'stopped', deciding: [], others: order.flat() };
  if (originsLost.length > 0) return verdictBy(originsLost, 'fail');
  if (testersLost.length > 0) return verdictBy(testersLost, 'inconclusive');
  if (certain.length > 0) return verdictBy(certain, 'fail');
  if (spoiler) {
    const told = spoilers.map(ofSpoiler);
    return { verdict: 'inconclusive', deciding: told, others: [...spoilt, ...unmeasured] };
  }
  if (unmeasured.length > 0) return verdictBy(unmeasured, 'inconclusive');
  return { verdict: 'pass', deciding: [], others: [] };
}

function isSpoilt({ spoiltBy = [] }: Finding): boolean {
  return spoiltBy.length > 0;
}

/** Each once: a busy machine before the testers, whose limit it may be the cause of; then in the order of time. */
function spoilersOf(failed: readonly Finding[]): readonly Spoiler[] {
  const all = failed.flatMap(({ spoiltBy = [] }) => spoiltBy);
  const each = all.filter(
    ({ sentence, timeMs }, i) =>
      all.findIndex((other) => other.sentence === sentence && other.timeMs === timeMs) === i,
  );
  const rank = ({ cause }: Spoiler): number => (cause === 'machine' ? 0 : 1);
  return each.sort((a, b) => rank(a) - rank(b) || a.timeMs - b.timeMs);
}

/** A run of which nothing at all was measured proves nothing, even if its plan would have let each of them go. */
function unmeasuredOf(findings: readonly Finding[]): readonly Finding[] {
  const missing = findings.filter(({ result }) => result === 'missing');
  const isJudged = findings.some(({ result }) => result === 'met' || result === 'failed');
  return missing.length > 0 || isJudged ? missing : findings;
}

function byTime(claims: Claim[]): readonly Claim[] {
  return claims.sort((a, b) => a.timeMs - b.timeMs);
}

function claim({ result: _, spoiltBy: __, ...finding }: Finding, causedBy: ReasonCause): Claim {
  return { ...finding, causedBy };
}

function ofSpoiler({ cause, ...spoiler }: Spoiler): Claim {
  return { ...spoiler, causedBy: cause };
}

function ofLostOrigin({ node, timeMs, sentence, detail }: LostOrigin): Claim {
  return {
    ...{ node, timeMs, expected: 'expected to answer until the end', causedBy: 'origin-lost' },
    sentence: detail === undefined ? sentence : `${sentence} ${detail}`,
  };
}

function ofLostTester({ node, timeMs, sentence }: LostTester): Claim {
  return { node, timeMs, sentence, expected: 'expected to run until the end', causedBy: 'tester-lost' };
}
