import { viewerCost, type ViewerCost } from '../../../../domain/tester/strength';
import type { Look } from '../../rule';

function costOf({ viewers, mbps, protocols, measured }: Look): ViewerCost {
  const kbps = mbps === undefined || viewers === 0 ? undefined : (mbps * 1000) / viewers;
  const all = protocols.map((protocol) => viewerCost(protocol, kbps, measured));
  const [dearest = viewerCost('whep', kbps, measured)] = all.sort((a, b) => b.corePercent - a.corePercent);
  return dearest;
}

/** What a tester's share costs its agent, in percent of one core. */
export function agentCostPercent(look: Look): number {
  return look.viewers * costOf(look).corePercent;
}

/** How that is known. */
export function costBasis(look: Look): string {
  const { measuredMs } = costOf(look);
  return measuredMs === undefined
    ? 'estimated'
    : `measured ${new Date(measuredMs).toISOString().slice(0, 10)}`;
}
