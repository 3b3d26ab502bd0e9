import type { ReasonCause, VerdictName } from '../model/run';
import type { Finding, LostOrigin, LostTester, Influence } from '../evidence/evidence';

/** All evidence about a run. */
export interface Evidence {
  /** The user stopped it before the planned end. */
  readonly isStopped: boolean;
  readonly findings: readonly Finding[];
  readonly lostOrigins?: readonly LostOrigin[];
  readonly lostTesters?: readonly LostTester[];
}

/** One reason of a verdict, before it is numbered. */
export type Claim = Omit<Finding, 'result' | 'invalidatedBy'> & { readonly causedBy: ReasonCause };

export interface Decision {
  readonly verdict: VerdictName;
  /** What decided it, in display order; empty for a pass. The first is the reason of the run. */
  readonly deciding: readonly Claim[];
  /** Further findings. */
  readonly others: readonly Claim[];
}

/**
 * The precedence of verdicts; the first that applies decides:
 *
 * 1. stopped: the user ended the run early, so nothing is decided. Missing viewers do not count.
 * 2. fail: an origin stopped responding.
 * 3. inconclusive: a tester stopped, so its viewer metrics are incomplete.
 * 4. fail: an expectation was missed that only the origin can have caused.
 * 5. inconclusive: expectations were missed, each invalidated by other programs on the machine or by a tester at its
 *    own limit.
 * 6. inconclusive: an expectation of the plan was not measured, or nothing was.
 * 7. pass.
 */
export function decide({ isStopped, findings, lostOrigins = [], lostTesters = [] }: Evidence): Decision {
  const failed = findings.filter(
    ({ result, expectation }) => result === 'failed' && !(isStopped && expectation === 'connected'),
  );
  const originsLost = byTime(lostOrigins.map(ofLostOrigin));
  const testersLost = byTime(lostTesters.map(ofLostTester));
  const certain = byTime(
    failed.filter((finding) => !isInvalidated(finding)).map((finding) => claim(finding, 'origin')),
  );
  const invalidating = influencesOf(failed);
  const [influence] = invalidating;
  const invalidated = byTime(
    failed.filter(isInvalidated).map((finding) => claim(finding, finding.invalidatedBy?.[0]?.cause ?? 'tester')),
  );
  const unmeasured = isStopped ? [] : byTime(unmeasuredOf(findings).map((finding) => claim(finding, 'unmeasured')));

  const order = [originsLost, testersLost, certain, invalidating.map(ofInfluence), invalidated, unmeasured];
  const verdictBy = (deciding: readonly Claim[], verdict: VerdictName): Decision => ({
    verdict,
    deciding,
    others: order.filter((claims) => claims !== deciding).flat(),
  });
  if (isStopped) return { verdict: 'stopped', deciding: [], others: order.flat() };
  if (originsLost.length > 0) return verdictBy(originsLost, 'fail');
  if (testersLost.length > 0) return verdictBy(testersLost, 'inconclusive');
  if (certain.length > 0) return verdictBy(certain, 'fail');
  if (influence) {
    const byInfluence = invalidating.map(ofInfluence);
    return { verdict: 'inconclusive', deciding: byInfluence, others: [...invalidated, ...unmeasured] };
  }
  if (unmeasured.length > 0) return verdictBy(unmeasured, 'inconclusive');
  return { verdict: 'pass', deciding: [], others: [] };
}

function isInvalidated({ invalidatedBy = [] }: Finding): boolean {
  return invalidatedBy.length > 0;
}

/** Each once: a busy machine before the testers, whose limit it may have caused; then in order of time. */
function influencesOf(failed: readonly Finding[]): readonly Influence[] {
  const all = worstOfEachMachine(failed.flatMap(({ invalidatedBy = [] }) => invalidatedBy));
  const each = all.filter(
    ({ sentence, timeMs }, i) => all.findIndex((other) => other.sentence === sentence && other.timeMs === timeMs) === i,
  );
  const rank = ({ cause }: Influence): number => (cause === 'machine' ? 0 : 1);
  return each.sort((a, b) => rank(a) - rank(b) || a.timeMs - b.timeMs);
}

/** A run without any measurement proves nothing, even if its plan would excuse each missing one. */
function unmeasuredOf(findings: readonly Finding[]): readonly Finding[] {
  const missing = findings.filter(({ result }) => result === 'missing');
  const isJudged = findings.some(({ result }) => result === 'met' || result === 'failed');
  return missing.length > 0 || isJudged ? missing : findings;
}

function byTime(claims: Claim[]): readonly Claim[] {
  return claims.sort((a, b) => a.timeMs - b.timeMs);
}

function claim({ result: _, invalidatedBy: __, ...finding }: Finding, causedBy: ReasonCause): Claim {
  return { ...finding, causedBy };
}

/** A machine whose CPU others used is one reason, whatever it spoilt: the highest use stands for all. */
function worstOfEachMachine(all: readonly Influence[]): Influence[] {
  const worst = new Map<string, Influence>();
  for (const each of all) {
    const known = each.machine && worst.get(each.machine.host);
    if (each.machine && (known?.machine?.percent ?? -1) < each.machine.percent) worst.set(each.machine.host, each);
  }
  return all.filter((each) => each.machine === undefined || worst.get(each.machine.host) === each);
}

function ofInfluence({ cause, machine: _, ...influence }: Influence): Claim {
  return { ...influence, causedBy: cause };
}

function ofLostOrigin({ node, timeMs, sentence, detail }: LostOrigin): Claim {
  return {
    ...{ node, timeMs, expected: 'expected to respond until the end', causedBy: 'origin-lost' },
    sentence: detail === undefined ? sentence : `${sentence} ${detail}`,
  };
}

function ofLostTester({ node, timeMs, sentence }: LostTester): Claim {
  return { node, timeMs, sentence, expected: 'expected to run until the end', causedBy: 'tester-lost' };
}
