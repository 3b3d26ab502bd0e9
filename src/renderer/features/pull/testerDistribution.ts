import type { NodeView } from '../../../domain/model/node';
import { distributeViewers } from '../../../domain/model/distribution';
import type { Audience } from '../../../domain/model/plan';
import type { PullProtocol } from '../../../domain/model/protocols';
import { isWcsTester, viewerLimitText, testerCapacity, type TesterCapacity } from '../../../domain/tester/viewerLimit';
import { typedNumber } from '../../ui/format/numbers';

/** A tester's row: its share of the viewers and its limit. */
export interface TesterAllocation {
  readonly node: NodeView;
  readonly isChosen: boolean;
  readonly share: number;
  readonly limit?: number;
  readonly about: string;
  /** In percent of the bar's width: share within the limit, share above it, position of the limit. */
  readonly good: number;
  readonly over: number;
  readonly tick?: number;
}

/** Space right of the longest bar, so a tick at its end is visible. */
const headroom = 1.08;

/** What the viewers pull. */
export interface PulledStream {
  readonly protocol: PullProtocol;
  /** Of the stream, if known. */
  readonly kbps?: number;
}

/** Bars share one scale, so a strong tester's is longer than a weak one's. */
export function testerAllocations(
  testers: readonly NodeView[],
  chosen: readonly NodeView[],
  viewers: string,
  { protocol, kbps }: PulledStream,
  weights?: Audience['weights'],
): readonly TesterAllocation[] {
  const shares = distributeViewers(
    Math.floor(typedNumber(viewers) ?? 0),
    chosen.map(({ name }) => name),
    weights,
  );
  const shareOf = (node: NodeView): number => {
    const at = chosen.findIndex(({ id }) => id === node.id);
    return at < 0 ? 0 : (shares[at] ?? 0);
  };
  const capacityOfMachine = (node: NodeView): TesterCapacity | undefined => testerCapacity(node, protocol, kbps);
  const most =
    Math.max(...testers.map((node) => Math.max(shareOf(node), capacityOfMachine(node)?.viewers ?? 0)), 1) * headroom;
  const percent = (count: number): number => (100 * count) / most;
  return testers.map((node) => {
    const share = shareOf(node);
    const capacity = capacityOfMachine(node);
    const limit = capacity?.viewers;
    const fits = Math.min(share, limit ?? share);
    return {
      node,
      isChosen: chosen.some(({ id }) => id === node.id),
      share,
      limit,
      about: aboutOf(node, capacity),
      good: percent(fits),
      over: percent(share - fits),
      tick: limit === undefined ? undefined : percent(limit),
    };
  });
}

function aboutOf(node: NodeView, capacity: TesterCapacity | undefined): string {
  if (node.state === 'failed') return node.problem ?? 'Unreachable.';
  const cores = node.machine ? `${node.machine.cores} cores · ` : '';
  if (capacity) return `${cores}${viewerLimitText(capacity)}`;
  // An agent reports its limit; a WCS reports none for RTMP.
  return `${cores}${isWcsTester(node) ? 'limit unknown' : 'limit unknown until it runs'}`;
}
