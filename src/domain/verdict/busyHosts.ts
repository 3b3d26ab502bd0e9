import type { NodeView } from '../node';
import { HostLoads } from '../otherLoad/hostLoads';
import type { OtherShare } from '../otherLoad/otherLoad';
import type { Judged, Spoiler } from './judged';

/** What viewers suffered while a host was busy shows in their figures for this long: the window of a degraded viewer. */
const aftermathMs = 10_000;

const known = new WeakMap<Judged, HostLoads>();

/** What is known of other programs on the hosts of a run. */
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

/** The host of an origin or of one of these testers that others kept from serving or watching over a time, as its viewers showed until `toMs`; none where it had its processors. */
export function busyForViewers(
  judged: Judged,
  fromMs: number,
  toMs: number,
  testers: readonly NodeView[] = judged.testers,
): Spoiler[] {
  const loads = hostLoads(judged);
  let worst: { readonly node: NodeView; readonly share: OtherShare } | undefined;
  for (const node of [...judged.origins, ...testers]) {
    const share = loads.contendedOver(node, fromMs - aftermathMs, toMs);
    if (share && (!worst || share.other + share.stolen > worst.share.other + worst.share.stolen))
      worst = { node, share };
  }
  return worst ? [loads.spoiler(worst.node, fromMs, worst.share)] : [];
}
