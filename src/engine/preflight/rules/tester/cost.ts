import { viewerCost } from '../../../../domain/tester/viewerLimit';
import { type ViewerCost } from '../../../../domain/model/testerMeasured';
import type { CheckContext } from '../../rule';

function costOf({ viewers, mbps, protocols, measured }: CheckContext): ViewerCost {
  const kbps = mbps === undefined || viewers === 0 ? undefined : (mbps * 1000) / viewers;
  const all = protocols.map((protocol) => viewerCost(protocol, kbps, measured));
  const [mostExpensive = viewerCost('whep', kbps, measured)] = all.sort((a, b) => b.corePercent - a.corePercent);
  return mostExpensive;
}

/** CPU cost of a tester's share on its agent, in percent of one core. */
export function agentCostPercent(context: CheckContext): number {
  return context.viewers * costOf(context).corePercent;
}

/** Basis of that figure. */
export function costBasis(context: CheckContext): string {
  const { measuredMs } = costOf(context);
  return measuredMs === undefined ? 'estimated' : `measured ${new Date(measuredMs).toISOString().slice(0, 10)}`;
}
