import { asSentence } from '../text/sentence';
import { sharingHost } from '../model/host';
import { hostValuesOf } from '../node/hostValues';
import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import type { Influence } from '../evidence/evidence';
import { firstAfter, type Values } from '../series/windows';
import {
  dedicatedExpected,
  isBusy,
  machineName,
  otherLoadBounds,
  otherUse,
  takenPercent,
  type HostBaseline,
  type OtherLoad,
  type OtherShare,
  type ProgramShare,
} from '../model/otherLoad';

/** The data of a run's hosts. */
export interface HostEvidence {
  readonly nodes: readonly NodeView[];
  readonly values: (node: string, series: SeriesId) => Values;
  readonly baseline?: readonly HostBaseline[];
  readonly otherLoad?: readonly OtherLoad[];
}

const bounds = otherLoadBounds;
/** A name from a scan is valid for this long before and after it. */
const nameHoldsMs = 15_000;
/** A pause may be reported up to a second late, and its second ended then or the one before. */
const pauseBeforeMs = 2100;
const pauseAfterMs = 1100;

/** CPU use by other programs on the hosts of a run, and whether it affected the test. */
export class HostLoads {
  private readonly known = new Map<string, Values>();

  constructor(private readonly evidence: HostEvidence) {}

  /** Figures of a node's host before the first viewer. */
  baselineOf(node: NodeView): HostBaseline | undefined {
    const { baseline = [], nodes } = this.evidence;
    const here = new Set([node, ...sharingHost(node, nodes)].map(({ id }) => id));
    return baseline.find((host) => host.nodes.some((name) => here.has(name)));
  }

  /** Means over an interval; undefined without data. */
  shareOver(node: NodeView, fromMs: number, toMs: number): OtherShare | undefined {
    const stolen = meanOver(this.host(node, 'stolenCpuPercent'), fromMs, toMs) ?? 0;
    const top = this.topAt(node, fromMs, toMs);
    const measured = meanOver(this.host(node, 'otherCpuPercent'), fromMs, toMs);
    const ofConsole = meanOver(this.host(node, 'consoleCpuPercent'), fromMs, toMs);
    const consoleLoad = ofConsole === undefined ? {} : { console: ofConsole };
    if (measured !== undefined)
      return { other: measured, stolen, ...consoleLoad, isMeasured: true, ...(top ? { top } : {}) };
    const baseline = this.baselineOf(node)?.values.cpuPercent;
    if (baseline === undefined) return stolen > 0 ? { other: 0, stolen, isMeasured: true } : undefined;
    // Steal time is part of the busy share.
    const before = this.baselineOf(node)?.values.stolenCpuPercent ?? 0;
    return { other: Math.max(0, baseline - before), stolen, isMeasured: false };
  }

  /** The share of other programs if it is enough to call the host busy. */
  busyOver(node: NodeView, fromMs: number, toMs: number): OtherShare | undefined {
    const share = this.shareOver(node, fromMs, toMs);
    return share && isBusy(share) ? share : undefined;
  }

  /** The second of highest use by others in an interval, if the node had to wait for a processor because of it. */
  contendedOver(node: NodeView, fromMs: number, toMs: number): OtherShare | undefined {
    const cpu = within(this.host(node, 'cpuPercent'), fromMs, toMs);
    let worst: OtherShare | undefined;
    cpu.timeMs.forEach((timeMs, place) => {
      const share = this.contendedAt(node, timeMs, cpu.value[place] ?? 0);
      if (share && (!worst || takenPercent(share) > takenPercent(worst))) worst = share;
    });
    return worst;
  }

  /** The last such second of an interval; -Infinity if there was none. */
  lastContendedMs(node: NodeView, fromMs: number, toMs: number): number {
    const { timeMs, value } = within(this.host(node, 'cpuPercent'), fromMs, toMs);
    for (let place = timeMs.length - 1; place >= 0; place -= 1) {
      const each = timeMs[place] ?? 0;
      if (this.contendedAt(node, each, value[place] ?? 0)) return each;
    }
    return -Infinity;
  }

  private contendedAt(node: NodeView, timeMs: number, cpuPercent: number): OtherShare | undefined {
    const [fromMs, toMs] = [timeMs - sampleMs, timeMs + sampleMs];
    const share = this.shareOver(node, fromMs, toMs);
    if (!share || takenPercent(share) < bounds.contendedOtherPercent) return undefined;
    const isContended =
      cpuPercent >= bounds.contendedCpuPercent ||
      this.waited(node, timeMs) >= bounds.contendedWaitPercent ||
      (meanOver(this.host(node, 'cpuPressurePercent'), fromMs, toMs) ?? 0) >= bounds.contendedPressurePercent;
    return isContended ? share : undefined;
  }

  /**
   * Whether a pause of a node's process is explained by waiting: without the time in which its threads were runnable
   * but had no processor, which others used, it would have been within its limit.
   */
  waitExplains(node: NodeView, timeMs: number, overMs: number): OtherShare | undefined {
    const [fromMs, toMs] = [timeMs - pauseBeforeMs, timeMs + pauseAfterMs];
    const waits = within(this.own(node, 'processWaitPercent'), fromMs, toMs).value;
    if (waits.length === 0) return this.contendedOver(node, fromMs, toMs);
    // 1 % of a second of one core is 10 ms.
    const waitedMs = Math.max(...waits) * 10;
    if (waitedMs < overMs) return undefined;
    const share = this.busyOver(node, fromMs, toMs);
    // A process can't have waited for others for longer than they ran.
    const ranMs = share ? takenPercent(share) * (node.machine?.cores ?? 1) * ((toMs - fromMs) / 100) : 0;
    return ranMs >= overMs ? share : undefined;
  }

  /** As the first reason of a verdict. */
  influence(node: NodeView, timeMs: number, share: OtherShare): Influence {
    return {
      cause: 'machine',
      node: node.id,
      timeMs,
      sentence: `${asSentence(machineName(node.host, node.name), [node.name])} was busy: ${otherUse(share, 'used')}.`,
      expected: dedicatedExpected,
      machine: { host: node.host, percent: takenPercent(share) },
    };
  }

  private waited(node: NodeView, timeMs: number): number {
    const ownLoad = (series: SeriesId): number =>
      meanOver(this.own(node, series), timeMs - sampleMs, timeMs + sampleMs) ?? 0;
    return Math.max(ownLoad('processWaitPercent'), ownLoad('testerReaderWaitPercent'));
  }

  /** The largest other program by the scan closest to a time. */
  private topAt(node: NodeView, fromMs: number, toMs: number): ProgramShare | undefined {
    const { otherLoad = [], nodes } = this.evidence;
    const here = new Set([node, ...sharingHost(node, nodes)].map(({ id }) => id));
    let nearest: OtherLoad | undefined;
    let minMs = nameHoldsMs;
    for (const load of otherLoad) {
      const awayMs = load.timeMs < fromMs ? fromMs - load.timeMs : Math.max(0, load.timeMs - toMs);
      if (awayMs > minMs || !here.has(load.node)) continue;
      // Several scans in the interval: the one with the largest program.
      if (awayMs === minMs && (nearest?.programs[0]?.percent ?? 0) >= (load.programs[0]?.percent ?? 0)) continue;
      nearest = load;
      minMs = awayMs;
    }
    // Runs of earlier versions have the console itself among the programs.
    return nearest?.programs.find(({ name }) => name !== 'Fullhouse console');
  }

  private host(node: NodeView, series: SeriesId): Values {
    return this.cached(`host ${node.id} ${series}`, () => hostValuesOf(this.evidence, node, series));
  }

  private own(node: NodeView, series: SeriesId): Values {
    return this.cached(`own ${node.id} ${series}`, () => this.evidence.values(node.id, series));
  }

  private cached(key: string, read: () => Values): Values {
    const known = this.known.get(key) ?? read();
    this.known.set(key, known);
    return known;
  }
}

/** Samples of one second, from any source, are within this of each other. */
const sampleMs = 600;

/** Values between two times, without scanning the others as `between` does: there are many windows. */
function within({ timeMs, value }: Values, fromMs: number, toMs: number): Values {
  const from = firstAfter(timeMs, fromMs - 1);
  const to = firstAfter(timeMs, toMs);
  return { timeMs: timeMs.slice(from, to), value: value.slice(from, to) };
}

function meanOver(values: Values, fromMs: number, toMs: number): number | undefined {
  const { value } = within(values, fromMs, toMs);
  return value.length > 0 ? value.reduce((sum, reading) => sum + reading, 0) / value.length : undefined;
}
