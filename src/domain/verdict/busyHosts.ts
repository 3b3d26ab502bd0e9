import { audiencesOf } from '../model/distribution';
import type { NodeView } from '../model/node';
import { HostLoads } from '../otherLoad/hostLoads';
import { takenPercent, type OtherShare } from '../model/otherLoad';
import type { TesterLimit } from '../model/run';
import type { Judged, Influence } from '../evidence/evidence';
import { firstOfEach } from '../tester/testerEffects';
import { isLimited } from '../tester/testerLimit';
import { areOriginsGone } from './originOutages';
import { publishersForViewers } from './publishers';

/** A busy host affects viewer metrics for this long: the window of a degraded viewer. */
export const viewerAftermathMs = 10_000;

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

/** Whose viewers a busy host may have affected, and until when. */
interface Affected {
  /** All testers of the run by default. */
  readonly testers?: readonly NodeView[];
  /** By default those that these testers pull from. */
  readonly origins?: readonly NodeView[];
  /** For how long after it was busy. */
  readonly aftermathMs?: number;
}

/**
 * The host of an origin or of one of these testers that other programs kept from working over an interval, as its
 * viewers showed until `toMs`; none if it had its processors.
 */
export function busyForViewers(judged: Judged, fromMs: number, toMs: number, affected: Affected = {}): Influence[] {
  const loads = hostLoads(judged);
  let worst: { readonly node: NodeView; readonly share: OtherShare } | undefined;
  for (const node of hostsOf(judged, affected)) {
    const share = loads.contendedOver(node, fromMs - (affected.aftermathMs ?? viewerAftermathMs), toMs);
    if (share && (!worst || takenPercent(share) > takenPercent(worst.share))) worst = { node, share };
  }
  return worst ? [loads.influence(worst.node, fromMs, worst.share)] : [];
}

/** What may have affected the viewers of one tester over an interval: busy hosts, its own limits, and publishers. */
export function influencesOfViewers(
  judged: Judged,
  tester: string,
  fromMs: number,
  toMs: number,
  limits: readonly TesterLimit[],
): Influence[] {
  // Nothing else explains what viewers of a server show that is gone.
  if (areOriginsGone(judged, tester, fromMs, toMs)) return [];
  const testers = judged.testers.filter(({ id }) => id === tester);
  const ownLimits = limits.filter((limit) => isLimited([limit], tester, fromMs, toMs));
  return [
    ...busyForViewers(judged, fromMs, toMs, { testers }),
    ...firstOfEach(ownLimits),
    ...publishersForViewers(judged, fromMs, toMs, { tester }),
  ];
}

/** When one of these hosts was last busy until `toMs`; -Infinity if never. */
export function lastBusyMs(judged: Judged, fromMs: number, toMs: number, affected: Affected): number {
  const loads = hostLoads(judged);
  return Math.max(-Infinity, ...hostsOf(judged, affected).map((node) => loads.lastContendedMs(node, fromMs, toMs)));
}

function hostsOf(judged: Judged, { testers = judged.testers, origins = originsOf(judged, testers) }: Affected) {
  return [...origins, ...testers];
}

/** The origins that these testers pull from: a host proves nothing about viewers of another origin. */
function originsOf({ view, origins }: Judged, testers: readonly NodeView[]): readonly NodeView[] {
  const isOf = (node: NodeView, names: readonly string[]): boolean =>
    names.includes(node.name) || names.includes(node.id);
  const sources = audiencesOf(view.plan)
    .filter(({ by }) => testers.some((node) => isOf(node, by)))
    .map(({ from }) => from);
  const found = origins.filter((node) => isOf(node, sources));
  // A pull that was added during the run is not part of the plan.
  return found.length > 0 ? found : origins;
}
