import type { JudgedRun } from '../evidence/evidence';
import type { NodeView } from '../model/node';
import { machineName, otherUse, takenPercent, type OtherShare } from '../model/otherLoad';
import { HostLoads } from '../otherLoad/hostLoads';
import type { Values } from '../series/windows';
import { asSentence } from '../text/sentence';
import type { HeldInterval } from './sizes';

/** A second around a sample. */
const aroundMs = 600;

/** What other programs used on the hosts of a run: it is no cost of the viewers. */
export class OtherPrograms {
  private readonly loads: HostLoads;

  constructor(
    run: Pick<JudgedRun, 'view' | 'values'>,
    private readonly origin: NodeView,
    private readonly testers: readonly NodeView[],
  ) {
    const { nodes, baseline, otherLoad } = run.view;
    this.loads = new HostLoads({ nodes, values: run.values, baseline, otherLoad });
  }

  /** Whether other programs kept the origin or a tester from a processor: its figures then show how little it got. */
  isBusyAt(timeMs: number): boolean {
    return [this.origin, ...this.testers].some(
      (node) => this.loads.contendedOver(node, timeMs - aroundMs, timeMs + aroundMs) !== undefined,
    );
  }

  /** `This machine was busy: other programs used 84 % of its CPU (top: chrome 61 %)`, of the most used host. */
  busySentence(): string | undefined {
    const contended = [this.origin, ...this.testers].flatMap((node) => {
      const share = this.loads.contendedOver(node, 0, Infinity);
      return share ? [{ node, share }] : [];
    });
    const [worst] = contended.sort((a, b) => takenPercent(b.share) - takenPercent(a.share));
    return worst && sentenceOf(worst.node, worst.share);
  }

  /** What others used of the origin's host in these intervals, on average; undefined if no more than usual. */
  usedOver(intervals: readonly HeldInterval[]): { readonly percent: number; readonly sentence: string } | undefined {
    const shares = intervals.flatMap(({ fromMs, toMs }) => {
      const share = this.loads.busyOver(this.origin, fromMs, toMs);
      return share ? [{ share, weight: toMs - fromMs }] : [];
    });
    const [worst] = [...shares].sort((a, b) => takenPercent(b.share) - takenPercent(a.share));
    if (!worst) return undefined;
    const wholeMs = intervals.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const percent = shares.reduce((sum, { share, weight }) => sum + takenPercent(share) * weight, 0) / wholeMs;
    return { percent, sentence: sentenceOf(this.origin, worst.share) };
  }

  /** The CPU of the origin's host without that of others, in percent of all cores. */
  without(values: Values, intervals: readonly HeldInterval[]): Values {
    if (!this.usedOver(intervals)) return values;
    const { timeMs, value } = values;
    const remaining = value.map((percent, place) => {
      const at = timeMs[place] ?? 0;
      const share = this.loads.shareOver(this.origin, at - aroundMs, at + aroundMs);
      return share ? Math.max(0, percent - takenPercent(share)) : percent;
    });
    return { timeMs, value: remaining };
  }
}

function sentenceOf(node: NodeView, share: OtherShare): string {
  return `${asSentence(machineName(node.host, node.name), [node.name])} was busy: ${otherUse(share, 'used')}`;
}
