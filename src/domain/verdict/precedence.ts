import type { ReasonCause, VerdictName } from '../model/run';
import type { Finding, Influence, LostOrigin, LostTester, OriginOutage } from '../evidence/evidence';
import { isOfCpu } from '../tester/testerEffects';

/** All evidence about a run. */
export interface Evidence {
  /** The user stopped it before the planned end. */
  readonly isStopped: boolean;
  readonly findings: readonly Finding[];
  readonly lostOrigins?: readonly LostOrigin[];
  readonly lostTesters?: readonly LostTester[];
  /** Origins that were gone for a time, which caused a missed expectation. */
  readonly originOutages?: readonly OriginOutage[];
  /** Hosts by node: what follows from a busy machine is part of its reason. */
  readonly hosts?: ReadonlyMap<string, string>;
}

/** One reason of a verdict, before it is numbered. */
export type Claim = Omit<Finding, 'result' | 'invalidatedBy'> & { readonly causedBy: ReasonCause };

export interface Decision {
  readonly verdict: VerdictName;
  /** What decided it, in display order; empty for a pass. The first is the reason of the run. */
  readonly deciding: readonly Claim[];
  /** Further findings. */
  readonly others: readonly Claim[];
  /** What would have excused a missed expectation of a run that the user stopped, such as a busy machine. */
  readonly notes?: readonly Claim[];
}

/**
 * The precedence of verdicts; the first that applies decides:
 *
 * 1. stopped: the user ended the run early, so nothing is decided. Missing viewers do not count.
 * 2. fail: an origin stopped responding.
 * 3. inconclusive: a tester stopped, so its viewer metrics are incomplete.
 * 4. fail: an expectation was missed that only the origin can have caused. If it was gone for a time, that is the first
 *    reason.
 * 5. inconclusive: expectations were missed, each invalidated by other programs on the machine, by a tester at its own
 *    limit or by a publisher of the plan that ended; or a publisher ended for good. What was invalidated never fails, and
 *    reasons of one cause are one reason.
 * 6. inconclusive: an expectation of the plan was not measured, or nothing was.
 * 7. pass.
 */
export function decide({
  isStopped,
  findings,
  lostOrigins = [],
  lostTesters = [],
  originOutages = [],
  hosts,
}: Evidence): Decision {
  const failed = findings.filter(
    ({ result, expectation }) => result === 'failed' && !(isStopped && expectation === 'connected'),
  );
  const originsLost = byTime(lostOrigins.map(ofLostOrigin));
  const testersLost = byTime(lostTesters.map(ofLostTester));
  const certain = [
    ...byTime(originOutages.map(ofOriginOutage)),
    ...byTime(failed.filter((finding) => !isInvalidated(finding)).map((finding) => claim(finding, 'origin'))),
  ];
  const influences = failed.flatMap(({ invalidatedBy = [] }) => invalidatedBy);
  const invalidating = mergedInfluences(influences, (node) => hosts?.get(node)).map(ofInfluence);
  const invalidated = byTime(
    failed
      .filter(isInvalidated)
      // A publisher that ended is a reason as the influence that it is.
      .filter(({ sentence }) => !influences.some((influence) => influence.sentence === sentence))
      .map((finding) => claim(finding, finding.invalidatedBy?.[0]?.cause ?? 'tester')),
  );
  const unmeasured = isStopped ? [] : byTime(unmeasuredOf(findings).map((finding) => claim(finding, 'unmeasured')));

  const order = [originsLost, testersLost, certain, invalidating, invalidated, unmeasured];
  const verdictBy = (deciding: readonly Claim[], verdict: VerdictName): Decision => ({
    verdict,
    deciding,
    others: order.filter((claims) => claims !== deciding).flat(),
  });
  if (isStopped) return stopped(order.flat());
  if (originsLost.length > 0) return verdictBy(originsLost, 'fail');
  if (testersLost.length > 0) return verdictBy(testersLost, 'inconclusive');
  if (certain.length > 0) return verdictBy(certain, 'fail');
  if (invalidating.length > 0) return verdictBy(invalidating, 'inconclusive');
  if (unmeasured.length > 0) return verdictBy(unmeasured, 'inconclusive');
  return { verdict: 'pass', deciding: [], others: [] };
}

/** The user's stop is the only reason. What was missed by the origin or lost until then is still found. */
function stopped(claims: readonly Claim[]): Decision {
  const isFound = ({ causedBy }: Claim): boolean =>
    causedBy === 'origin' || causedBy === 'origin-lost' || causedBy === 'tester-lost';
  return {
    ...{ verdict: 'stopped', deciding: [] },
    others: claims.filter(isFound),
    notes: claims.filter(
      (claim, place) => !isFound(claim) && claims.findIndex(({ sentence }) => sentence === claim.sentence) === place,
    ),
  };
}

function isInvalidated({ invalidatedBy = [] }: Finding): boolean {
  return invalidatedBy.length > 0;
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

function ofInfluence({ cause, machine: _, limit: __, ...influence }: Influence): Claim {
  return { ...influence, causedBy: cause };
}

function ofLostOrigin({ node, timeMs, sentence, detail }: LostOrigin): Claim {
  return {
    ...{ node, timeMs, expected: 'expected to respond until the end', causedBy: 'origin-lost' },
    sentence: detail === undefined ? sentence : `${sentence} ${detail}`,
  };
}

function ofOriginOutage({ node, fromMs, sentence }: OriginOutage): Claim {
  return { node, timeMs: fromMs, sentence, expected: 'expected to respond all the time', causedBy: 'origin-lost' };
}

function ofLostTester({ node, timeMs, sentence }: LostTester): Claim {
  return { node, timeMs, sentence, expected: 'expected to run until the end', causedBy: 'tester-lost' };
}

/** Sentences of the same cause that a reason lists; the rest is counted. */
const maxListed = 3;

/**
 * One influence per cause, since reasons of one cause are one reason: all machines whose CPU others used, with the
 * limits of the testers on them that follow from it; then the limits of testers by resource. Machines come first, as they
 * may have caused the limits, then the earlier ones. `hostOf` is the host of a node.
 */
function mergedInfluences(
  all: readonly Influence[],
  hostOf: (node: string) => string | undefined,
): readonly Influence[] {
  const each = worstOfEachMachine(distinct(all));
  const hosts = new Set(each.flatMap(({ machine }) => machine?.host ?? []));
  const groups = new Map<string, Influence[]>();
  for (const influence of each) {
    const key = causeKey(influence, hosts, hostOf);
    groups.set(key, [...(groups.get(key) ?? []), influence]);
  }
  return [...groups.values()].map(merged).sort((a, b) => rank(a) - rank(b) || a.timeMs - b.timeMs);
}

function causeKey(
  { cause, machine, limit, sentence, node }: Influence,
  hosts: ReadonlySet<string>,
  hostOf: (node: string) => string | undefined,
): string {
  if (machine) return 'machine';
  if (cause === 'publisher') return cause;
  if (limit === undefined) return sentence;
  if (!isOfCpu(limit)) return limit;
  const host = node === undefined ? undefined : hostOf(node);
  return host !== undefined && hosts.has(host) ? 'machine' : 'cpu';
}

/** The first of a cause with the others: of machines the one most used, of testers the first at its limit. */
function merged(group: readonly Influence[]): Influence {
  const sorted = [...group].sort(
    (a, b) => rank(a) - rank(b) || (b.machine?.percent ?? 0) - (a.machine?.percent ?? 0) || a.timeMs - b.timeMs,
  );
  const [first = group[0], ...others] = sorted;
  if (!first) throw new Error('A group of influences is never empty.');
  if (others.length === 0) return first;
  const listed = others.slice(0, maxListed).map(({ sentence }) => withinSentence(sentence));
  const more = others.length - listed.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  return { ...first, sentence: `${first.sentence} Also: ${listed.join('; ')}${rest}.` };
}

function withinSentence(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  return /^(The|This) machine /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const rank = ({ cause }: Influence): number => (cause === 'machine' ? 0 : 1);

/** Each sentence once, by its earliest time. */
function distinct(all: readonly Influence[]): readonly Influence[] {
  const known = new Map<string, Influence>();
  for (const influence of all) {
    const before = known.get(influence.sentence);
    if (!before || influence.timeMs < before.timeMs) known.set(influence.sentence, influence);
  }
  return [...known.values()];
}

/** A machine whose CPU others used is one influence, whatever it spoilt: the highest use stands for all. */
function worstOfEachMachine(all: readonly Influence[]): readonly Influence[] {
  const worst = new Map<string, Influence>();
  for (const influence of all) {
    const known = influence.machine && worst.get(influence.machine.host);
    if (influence.machine && (known?.machine?.percent ?? -1) < influence.machine.percent)
      worst.set(influence.machine.host, influence);
  }
  return all.filter((influence) => influence.machine === undefined || worst.get(influence.machine.host) === influence);
}
