import type { NodeView } from '../model/node';
import { HostLoads } from '../otherLoad/hostLoads';
import { takenPercent, type OtherShare } from '../model/otherLoad';
import type { Judged, Influence } from '../evidence/evidence';

/** A busy host affects viewer metrics for this long: the window of a degraded viewer. */
const aftermathMs = 10_000;

const known = new WeakMap<Judged, HostLoads>();

/** CPU use by other programs on the hosts of a run. */
export function hostLoads(judged: Judged): HostLoads {
  const loads =
    known.get(judged) ??
    new HostLoads({
      nodes: judged.view.nodes,
      values: judged.values,
      baseline: judged.view.baseline,
      otherLoad: judged.view.otherLoad,
    });
  known.set(judged, loads);
  return loads;
}

/**
 * The host of an origin or of one of these testers that other programs kept from working over an interval, as its
 * viewers showed until `toMs`; none if it had its processors.
 */
export function busyForViewers(
  judged: Judged,
  fromMs: number,
  toMs: number,
  testers: readonly NodeView[] = judged.testers,
): Influence[] {
  const loads = hostLoads(judged);
  let worst: { readonly node: NodeView; readonly share: OtherShare } | undefined;
  for (const node of [...judged.origins, ...testers]) {
    const share = loads.contendedOver(node, fromMs - aftermathMs, toMs);
    if (share && (!worst || takenPercent(share) > takenPercent(worst.share))) worst = { node, share };
  }
  return worst ? [loads.influence(worst.node, fromMs, worst.share)] : [];
}
