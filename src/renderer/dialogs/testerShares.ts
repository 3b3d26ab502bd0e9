import type { NodeView } from '../../domain/node';
import { evenShares } from '../../domain/shares';
import type { PullProtocol } from '../../domain/plan/plan';
import { strengthText, testerStrength, type TesterStrength } from '../../domain/tester/strength';
import { typedNumber } from '../format/numbers';

/** A tester's row: its share of the audience against what it can play. */
export interface TesterShare {
  readonly node: NodeView;
  readonly isChosen: boolean;
  readonly share: number;
  readonly limit?: number;
  readonly about: string;
  /** Of the bar's width, in percent: what fits, what is too much, and where the limit stands. */
  readonly good: number;
  readonly over: number;
  readonly tick?: number;
}

/** Room right of the longest bar, so that a tick at its end is seen. */
const headroom = 1.08;

/** What the viewers pull. */
export interface PulledStream {
  readonly protocol: PullProtocol;
  /** Of the stream, where it is known. */
  readonly kbps?: number;
}

/** Bars share one scale, so that a strong tester's is longer than a weak one's. */
export function testerShares(
  testers: readonly NodeView[],
  chosen: readonly NodeView[],
  viewers: string,
  { protocol, kbps }: PulledStream,
): readonly TesterShare[] {
  const shares = evenShares(Math.floor(typedNumber(viewers) ?? 0), chosen.length);
  const shareOf = (node: NodeView): number => {
    const at = chosen.findIndex(({ id }) => id === node.id);
    return at < 0 ? 0 : (shares[at] ?? 0);
  };
  const strengthOf = (node: NodeView): TesterStrength | undefined => testerStrength(node, protocol, kbps);
  const most =
    Math.max(...testers.map((node) => Math.max(shareOf(node), strengthOf(node)?.viewers ?? 0)), 1) * headroom;
  const percent = (count: number): number => (100 * count) / most;
  return testers.map((node) => {
    const share = shareOf(node);
    const strength = strengthOf(node);
    const limit = strength?.viewers;
    const fits = Math.min(share, limit ?? share);
    return {
      node,
      isChosen: chosen.some(({ id }) => id === node.id),
      share,
      limit,
      about: aboutOf(node, strength),
      good: percent(fits),
      over: percent(share - fits),
      tick: limit === undefined ? undefined : percent(limit),
    };
  });
}

function aboutOf(node: NodeView, strength: TesterStrength | undefined): string {
  if (node.state === 'failed') return node.problem ?? 'It cannot be reached.';
  const cores = node.machine ? `${node.machine.cores} cores · ` : '';
  return strength ? `${cores}${strengthText(strength)}` : `${cores}its limit shows when it plays`;
}
