import type { NodeView } from '../model/node';
import { takenPercent } from '../model/otherLoad';
import { HostLoads } from '../otherLoad/hostLoads';
import type { Influence } from '../evidence/evidence';
import { between } from '../series/windows';
import { originOf, testersOf, type TrialInput } from './trialInput';

const known = new WeakMap<TrialInput, HostLoads>();

function loadsOf(input: TrialInput): HostLoads {
  const loads = known.get(input) ?? new HostLoads(input);
  known.set(input, loads);
  return loads;
}

/** The host of a node that other programs used so much that the CPU expectation `isMet` without them. */
export function cpuOfOthers(
  input: TrialInput,
  node: NodeView | undefined,
  isMet: (others: number) => boolean,
): Influence | undefined {
  const share = node && loadsOf(input).busyOver(node, input.fromMs, input.toMs);
  return node && share && isMet(takenPercent(share)) ? loadsOf(input).influence(node, input.fromMs, share) : undefined;
}

/**
 * The host of the origin or of a tester on which other programs kept the test from its processors during this trial.
 */
export function busyForViewers(input: TrialInput): Influence | undefined {
  const loads = loadsOf(input);
  for (const node of [originOf(input), ...testersOf(input)]) {
    const share = node && loads.contendedOver(node, input.fromMs, input.toMs);
    if (node && share) return loads.influence(node, input.fromMs, share);
  }
  return undefined;
}

/** The origin's host, if each pause over the limit is explained by waiting for a processor that others used. */
export function pauseByOthers(input: TrialInput, origin: NodeView, limit: number): Influence | undefined {
  const loads = loadsOf(input);
  const { timeMs, value } = between(input.values(origin.id, 'gcPauseMs'), input.fromMs, input.toMs);
  const shares = value.flatMap((reading, place) =>
    reading > limit ? [loads.waitExplains(origin, timeMs[place] ?? 0, reading - limit)] : [],
  );
  const [first] = shares;
  return first && !shares.includes(undefined) ? loads.influence(origin, input.fromMs, first) : undefined;
}
