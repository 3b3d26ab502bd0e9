import { predict } from './ceiling';
import type { Estimate, Interval, Mark, ResourceEstimate, ResourceId } from './estimate';
import { memoryShare } from './thresholds';

/** A machine and an audience that somebody thinks of; what is absent is as it was measured. */
export interface WhatIf {
  readonly viewers: number;
  /** What one viewer receives. */
  readonly bitrateKbps?: number;
  readonly cores?: number;
  readonly nicMbps?: number;
  readonly memoryBytes?: number;
}

export type NeedId = 'cpu' | 'bandwidth' | 'memory';

/** What an audience needs of one thing, in cores, Mbit/s or bytes. */
export interface Need extends Interval {
  readonly id: NeedId;
  readonly high: number;
  readonly mark: Mark;
  /** The resource that says so. */
  readonly from: ResourceId;
  /** What the machine has; absent where that is not known. */
  readonly has?: number;
  readonly verdict: 'enough' | 'too-little' | 'close' | 'unknown';
}

export interface WhatIfAnswer {
  readonly needs: readonly Need[];
  /** What has the least room, or gives out first. */
  readonly limitedBy?: NeedId;
  /** The largest audience that such a machine carries. */
  readonly most?: Interval & { readonly by: NeedId };
  /** How many times the largest size that was seen. */
  readonly times: number;
  readonly notes: readonly string[];
}

/**
 * Twice the cores carry less than twice the viewers, as every study of larger machines finds: capacity grows with this power of the cores,
 * and the ends of the interval are a server that hardly spreads its work, and one that spreads it perfectly.
 */
export const coresPower: Required<Interval> = { value: 0.85, low: 0.7, high: 1 };
/** Bytes of media in a full packet; at the ends of the interval packets stay as they were, or are as full as a network allows. */
const packetBytes = { value: 1100, fullest: 1400 } as const;
/** Part of a viewer's CPU that no packet causes: timers, reports, statistics. At the lower end only. */
const fixedShare = 0.3;
/** What a server needs to have free at the CPU is its plan's threshold; in percent where none is known. */
const usualCpu = 80;
const mostViewers = 1_000_000;

/** What one viewer received in the run, by the growth of the origin's bandwidth. */
export function measuredBitrateKbps(estimate: Estimate): number | undefined {
  const bandwidth = resource(estimate, 'bandwidth');
  return bandwidth?.isRising ? bandwidth.perViewer.value * 1000 : undefined;
}

/** What an audience would need, and what a machine would carry. Pure. */
export function whatIf(estimate: Estimate, wish: WhatIf): WhatIfAnswer {
  const needs = needsOf(estimate, wish, wish.viewers);
  const [first] = [...needs].filter(hasKnown).sort((a, b) => b.value / b.has - a.value / a.has);
  const most = mostOf(estimate, wish);
  return {
    needs,
    ...(first && { limitedBy: first.id }),
    ...(most && { most }),
    times: estimate.largest > 0 ? wish.viewers / estimate.largest : 0,
    notes: notesOf(estimate, wish),
  };
}

const hasKnown = (need: Need): need is Need & { has: number } => need.has !== undefined && need.has > 0;

function resource(estimate: Estimate, id: ResourceId): ResourceEstimate | undefined {
  return estimate.resources.find((each) => each.id === id);
}

/** The origin's own figure where its machine is the audience's too; else the whole machine's, which has the kernel's part in it. */
function preferred(estimate: Estimate, host: ResourceId, own: ResourceId): ResourceEstimate | undefined {
  const [first, second] = estimate.machine.sharedWith.length > 0 ? [own, host] : [host, own];
  return resource(estimate, first) ?? resource(estimate, second);
}

function needsOf(estimate: Estimate, wish: WhatIf, viewers: number): Need[] {
  return [
    cpuNeed(estimate, wish, viewers),
    bandwidthNeed(estimate, wish, viewers),
    memoryNeed(estimate, wish, viewers),
  ].filter((need) => need !== undefined);
}

/** Cores of the measured kind, so many that the CPU stays under its threshold. */
function cpuNeed(estimate: Estimate, wish: WhatIf, viewers: number): Need | undefined {
  const from = preferred(estimate, 'hostCpu', 'processCpu');
  const cores = estimate.machine.cores;
  if (!from || (from.id === 'hostCpu' && cores === undefined)) return undefined;
  const perCore = from.id === 'hostCpu' ? 100 / (cores ?? 1) : 100;
  const share = (resource(estimate, 'hostCpu')?.threshold?.value ?? usualCpu) / 100;
  const scale = cpuByBitrate(estimate, wish);
  const load = scaled(from, estimate, viewers, scale);
  /** From the work on the measured machine to the cores of a larger one, which does less per core. */
  const toCores = (busy: number, power: number): number => {
    const needed = Math.max(0, busy) / perCore / share;
    return cores !== undefined && needed > cores ? cores * (needed / cores) ** (1 / power) : needed;
  };
  return judged({
    id: 'cpu',
    from: from.id,
    value: toCores(load.value, coresPower.value),
    low: toCores(load.low, coresPower.high),
    high: toCores(load.high, coresPower.low),
    mark: markOf(estimate, wish, viewers),
    has: wish.cores ?? cores,
  });
}

function bandwidthNeed(estimate: Estimate, wish: WhatIf, viewers: number): Need | undefined {
  const from = resource(estimate, 'bandwidth');
  if (!from) return undefined;
  const factor = bitrateFactor(estimate, wish);
  const load = scaled(from, estimate, viewers, { value: factor, low: factor, high: factor });
  return judged({
    id: 'bandwidth',
    from: from.id,
    ...load,
    mark: markOf(estimate, wish, viewers),
    has: wish.nicMbps ?? estimate.machine.capacityMbps,
  });
}

/** Of a machine that is used to its threshold, so that caches and heap have the rest. */
function memoryNeed(estimate: Estimate, wish: WhatIf, viewers: number): Need | undefined {
  const host = resource(estimate, 'memory');
  const own = resource(estimate, 'processMemory');
  const from = preferred(estimate, 'memory', 'processMemory');
  if (!from) return undefined;
  // What others had in use stays in use.
  const others = from === own ? Math.max(0, (host?.idle.value ?? 0) - own.idle.value) : 0;
  const load = scaled(from, estimate, viewers, { value: 1, low: 1, high: 1 });
  const whole = (value: number): number => (Math.max(0, value) + others) / memoryShare;
  return judged({
    id: 'memory',
    from: from.id,
    value: whole(load.value),
    low: whole(load.low),
    high: whole(load.high),
    mark: markOf(estimate, wish, viewers),
    has: wish.memoryBytes ?? estimate.machine.memoryBytes,
  });
}

/** A resource's figure at a size, its growth multiplied. A resource that does not grow beyond chance may do so within its error. */
function scaled(
  from: ResourceEstimate,
  { largest }: Estimate,
  viewers: number,
  factor: Required<Interval>,
): Required<Interval> {
  const { idle } = from.line;
  const at = predict(from.line, viewers, largest);
  const grown = (value: number, by: number): number => idle + (value - idle) * by;
  return {
    value: grown(at.value, factor.value),
    low: Math.max(0, grown(at.low, at.low > idle ? factor.low : 1)),
    high: grown(at.high, at.high > idle ? factor.high : 1),
  };
}

function bitrateFactor(estimate: Estimate, { bitrateKbps }: WhatIf): number {
  const measured = measuredBitrateKbps(estimate);
  return bitrateKbps !== undefined && measured !== undefined ? bitrateKbps / measured : 1;
}

/** CPU follows packets rather than bits: more bits make more packets, and fuller ones. */
function cpuByBitrate(estimate: Estimate, wish: WhatIf): Required<Interval> {
  const factor = bitrateFactor(estimate, wish);
  if (factor === 1) return { value: 1, low: 1, high: 1 };
  const kbps = measuredBitrateKbps(estimate) ?? 0;
  const perSecond = resource(estimate, 'packets')?.perViewer.value;
  const more = (factor - 1) * kbps * 125;
  const by = (bytes: number): number =>
    perSecond !== undefined && perSecond > 0 && factor > 1 ? 1 + more / bytes / perSecond : factor;
  const least = fixedShare + (1 - fixedShare) * by(packetBytes.fullest);
  const value = by(packetBytes.value);
  // With less to send a frame is still a packet: it saves nothing at the one end, and everything at the other.
  return factor > 1
    ? { value, low: Math.min(value, least), high: Math.max(value, factor) }
    : { value: (1 + factor) / 2, low: factor, high: 1 };
}

function judged(need: Omit<Need, 'verdict'>): Need {
  const { has, low, high } = need;
  const verdict = has === undefined ? 'unknown' : high <= has ? 'enough' : low > has ? 'too-little' : 'close';
  return { ...need, verdict };
}

function markOf(estimate: Estimate, { bitrateKbps }: WhatIf, viewers: number): Mark {
  return viewers <= estimate.largest && bitrateKbps === undefined ? 'measured' : 'extrapolated';
}

/** The largest audience of which everything that the machine has is enough, and between which sizes that lies. */
function mostOf(estimate: Estimate, wish: WhatIf): WhatIfAnswer['most'] {
  const fits =
    (end: 'value' | 'low' | 'high') =>
    (viewers: number): boolean =>
      needsOf(estimate, wish, viewers)
        .filter(hasKnown)
        .every((need) => need[end] <= need.has);
  const value = lastThat(fits('value'));
  if (value === undefined) return undefined;
  const low = lastThat(fits('high')) ?? value;
  const high = lastThat(fits('low'));
  const over = needsOf(estimate, wish, value + 1).filter(hasKnown);
  const [by] = over.sort((a, b) => b.value / b.has - a.value / a.has);
  return (
    by && {
      value,
      low: Math.min(low, value),
      ...(high !== undefined && { high: Math.max(high, value) }),
      by: by.id,
    }
  );
}

/** The last size that fits; undefined where all do. */
function lastThat(fits: (viewers: number) => boolean): number | undefined {
  if (!fits(0)) return 0;
  let below = 0;
  let over = 1;
  while (fits(over)) {
    below = over;
    over *= 2;
    if (over > mostViewers) return undefined;
  }
  while (over - below > 1) {
    const middle = Math.floor((below + over) / 2);
    if (fits(middle)) below = middle;
    else over = middle;
  }
  return below;
}

function notesOf(estimate: Estimate, wish: WhatIf): string[] {
  const { cores } = estimate.machine;
  return [
    ...(bitrateFactor(estimate, wish) === 1
      ? []
      : [
          'CPU follows packets: what a larger bitrate adds is taken to come in packets of 1,100 bytes; the interval reaches from fuller packets to as many as bits.',
        ]),
    ...(cores !== undefined && wish.cores !== undefined && wish.cores !== cores
      ? [
          `${wish.cores} cores of this kind carry ${(wish.cores / cores) ** coresPower.value < 10 ? ((wish.cores / cores) ** coresPower.value).toFixed(1) : Math.round((wish.cores / cores) ** coresPower.value)} times what ${cores} do (between ${((wish.cores / cores) ** coresPower.low).toFixed(1)} and ${((wish.cores / cores) ** coresPower.high).toFixed(1)}): larger machines are not proportionally faster.`,
        ]
      : []),
  ];
}
