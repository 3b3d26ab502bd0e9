import type { NodeView } from '../model/node';
import { takenPercent } from '../model/otherLoad';
import { HostLoads } from '../otherLoad/hostLoads';
import type { Influence } from '../evidence/evidence';
import { between } from '../series/windows';
import { originOf, testersOf, type TrialInput } from './trialInput';

const known = new WeakMap<TrialInput, HostLoads>();

function loadsOf(seen: TrialInput): HostLoads {
  const loads = known.get(seen) ?? new HostLoads(seen);
  known.set(seen, loads);
  return loads;
}

/** The host of a node that other programs used so much that the CPU expectation `isMet` without them. */
export function cpuOfOthers(
  seen: TrialInput,
  node: NodeView | undefined,
  isMet: (others: number) => boolean,
): Influence | undefined {
  const share = node && loadsOf(seen).busyOver(node, seen.fromMs, seen.toMs);
  return node && share && isMet(takenPercent(share)) ? loadsOf(seen).influence(node, seen.fromMs, share) : undefined;
}

/**
 * The host of the origin or of a tester on which other programs kept the test from its processors during this trial.
 */
export function busyForViewers(seen: TrialInput): Influence | undefined {
  const loads = loadsOf(seen);
  for (const node of [originOf(seen), ...testersOf(seen)]) {
    const share = node && loads.contendedOver(node, seen.fromMs, seen.toMs);
    if (node && share) return loads.influence(node, seen.fromMs, share);
  }
  return undefined;
}

/** The origin's host, if each pause over the limit is explained by waiting for a processor that others used. */
export function pauseByOthers(seen: TrialInput, origin: NodeView, limit: number): Influence | undefined {
  const loads = loadsOf(seen);
  const { timeMs, value } = between(seen.values(origin.id, 'gcPauseMs'), seen.fromMs, seen.toMs);
  const shares = value.flatMap((each, place) =>
    each > limit ? [loads.waitExplains(origin, timeMs[place] ?? 0, each - limit)] : [],
  );
  const [first] = shares;
  return first && !shares.includes(undefined) ? loads.influence(origin, seen.fromMs, first) : undefined;
}
