import type { NodeView } from '../../domain/node';
import type { PullProtocol } from '../../domain/plan/plan';
import { strengthText, testerStrength } from '../../domain/tester/strength';
import { testerBounds } from '../../domain/tester/testerRules';
import type { TesterSplit } from '../../domain/tester/testerSplit';
import { grouped } from '../format/numbers';

/** The offer in words; `guess` is extrapolated and looks like it. */
export interface SplitText {
  readonly before: string;
  readonly guess?: string;
  readonly after: string;
}

/** From where on a tester has too little to spare, by what it is burdened with. */
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
          : `${each} viewers each would keep ${name}'s reading thread busy for about ${percent} %, `,
      guess: 'extrapolated',
      after: ` from its first ${grouped(weakViewers)}.${enough}`,
    };
  }
  const held = why === 'too-many' ? `; ${name} can hold ${grouped(weakViewers)}` : '';
  return { before: `${each} viewers each instead of ${eachBefore}${held}.`, after: '' };
}

/** `Add one tester, 500 each`; of a live run `Stop, and run again with one tester more, 500 each`. */
export function splitButton({ each }: Pick<TesterSplit, 'each'>, isLive: boolean): string {
  return isLive ? `Stop, and run again with one tester more, ${each} each` : `Add one tester, ${each} each`;
}

/** What is said of a tester that could be added, beside its name. */
export function candidateText(node: NodeView, weak: readonly NodeView[], protocol: PullProtocol): string {
  const isSameHost = weak.some(({ host }) => host === node.host);
  const host = isSameHost ? 'on the same host' : 'on another host';
  const strength = testerStrength(node, protocol);
  return strength ? `${host}, ${strengthText(strength)}` : host;
}
