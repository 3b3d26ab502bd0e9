import type { NodeView } from '../node';
import { HostLoads } from '../otherLoad/hostLoads';
import type { Spoiler } from '../verdict/judged';
import { between } from '../windows';
import { originOf, testersOf, type TrialSeen } from './trialSeen';

const known = new WeakMap<TrialSeen, HostLoads>();

function loadsOf(seen: TrialSeen): HostLoads {
  const loads = known.get(seen) ?? new HostLoads(seen);
  known.set(seen, loads);
  return loads;
}

/** The host of a node that other programs used so much that the CPU `isMet` without them. */
export function cpuOfOthers(
  seen: TrialSeen,
  node: NodeView | undefined,
  isMet: (others: number) => boolean,
): Spoiler | undefined {
  const share = node && loadsOf(seen).busyOver(node, seen.fromMs, seen.toMs);
  return node && share && isMet(share.other + share.stolen)
    ? loadsOf(seen).spoiler(node, seen.fromMs, share)
    : undefined;
}

/** The host of the origin or of a tester on which others kept the test from its processors while this size was watched. */
export function busyForViewers(seen: TrialSeen): Spoiler | undefined {
  const loads = loadsOf(seen);
  for (const node of [originOf(seen), ...testersOf(seen)]) {
    const share = node && loads.contendedOver(node, seen.fromMs, seen.toMs);
    if (node && share) return loads.spoiler(node, seen.fromMs, share);
  }
  return undefined;
}

/** The origin's host, where each pause over the limit is explained by waiting for a processor that others used. */
export function pauseByOthers(seen: TrialSeen, origin: NodeView, limit: number): Spoiler | undefined {
  const loads = loadsOf(seen);
  const { timeMs, value } = between(seen.values(origin.id, 'gcPauseMs'), seen.fromMs, seen.toMs);
  const shares = value.flatMap((each, place) =>
    each > limit ? [loads.waitExplains(origin, timeMs[place] ?? 0, each - limit)] : [],
  );
  const [first] = shares;
  return first && !shares.includes(undefined) ? loads.spoiler(origin, seen.fromMs, first) : undefined;
}
