import type { NodeView } from '../../../domain/model/node';
import type { PullProtocol } from '../../../domain/model/protocols';
import { viewerLimitText, testerCapacity } from '../../../domain/tester/viewerLimit';
import { testerBounds } from '../../../domain/tester/testerRules';
import type { TesterSplit } from '../../../domain/tester/testerSplit';
import { grouped } from '../../ui/format/numbers';

/** The suggestion; `guess` is extrapolated and styled as such. */
export interface SplitText {
  readonly before: string;
  readonly guess?: string;
  readonly after: string;
}

/** Load above which a tester lacks headroom, by resource. */
const bounds = { cpu: testerBounds.hostCpuPercent, reader: testerBounds.readerBusyPercent } as const;

/** `500 viewers each would cost tester-1 about 65 % CPU, extrapolated from its first 700.` */
export function splitText({ why, weak, weakViewers, each, eachBefore, cost }: TesterSplit): SplitText {
  const name = weak[0]?.name ?? 'the tester';
  if (cost) {
    const percent = grouped(Math.min(999, cost.percent));
    const enough = cost.percent < bounds[cost.what] ? '' : ' That is still too much: add more than one.';
    return {
      before:
        cost.what === 'cpu'
          ? `${each} viewers each would cost ${name} about ${percent} % CPU, `
          : `${each} viewers each would load ${name}'s reader thread to about ${percent} %, `,
      guess: 'extrapolated',
      after: ` from its first ${grouped(weakViewers)}.${enough}`,
    };
  }
  const held = why === 'too-many' ? `; ${name} can run ${grouped(weakViewers)}` : '';
  return { before: `${each} viewers each instead of ${eachBefore}${held}.`, after: '' };
}

/** `Add one tester, 500 each`; for a live run `Restart with one more tester, 500 each`. */
export function splitButton({ each }: Pick<TesterSplit, 'each'>, isLive: boolean): string {
  return isLive ? `Restart with one more tester, ${each} each` : `Add one tester, ${each} each`;
}

/** Shown beside the name of a candidate tester. */
export function candidateText(node: NodeView, weak: readonly NodeView[], protocol: PullProtocol): string {
  const isSameHost = weak.some(({ host }) => host === node.host);
  const host = isSameHost ? 'on the same host' : 'on another host';
  const capacity = testerCapacity(node, protocol);
  return capacity ? `${host}, ${viewerLimitText(capacity)}` : host;
}
