import { defaultExpectations } from '../model/plan';
import { isVague, predict } from './ceiling';
import type { Estimate, EstimatedInterval, CeilingMark, ResourceEstimate, ResourceId } from './estimate';
import { viewersInterval } from './estimateText';
import { memoryShare } from './thresholds';

/** A hypothetical machine and audience; absent fields are as measured. */
export interface WhatIf {
  readonly viewers: number;
  /** What one viewer receives. */
  readonly bitrateKbps?: number;
  readonly cores?: number;
  readonly nicMbps?: number;
  readonly memoryBytes?: number;
}

export type NeedId = 'cpu' | 'bandwidth' | 'memory';

/** What an audience needs of one resource, in cores, Mbit/s or bytes. */
export interface Need extends EstimatedInterval {
  readonly id: NeedId;
  readonly high: number;
  readonly mark: CeilingMark;
  /** The resource it is derived from. */
  readonly from: ResourceId;
  /** The capacity of the machine; absent if unknown. */
  readonly has?: number;
  /** `vague`: its interval is wider than its value and decides nothing, so it is no answer. */
  readonly verdict: 'enough' | 'too-little' | 'close' | 'unknown' | 'vague';
}

export interface WhatIfAnswer {
  readonly needs: readonly Need[];
  /** The resource with the least headroom, or the bottleneck. Absent where another one is vague, unless it is too little. */
  readonly limitedBy?: NeedId;
  /** The largest audience that such a machine supports. */
  readonly most?: EstimatedInterval & { readonly by: NeedId };
  /** Multiple of the largest measured size. */
  readonly times: number;
  readonly notes: readonly string[];
}

/**
 * Twice the cores support less than twice the viewers, as every study of larger machines finds: capacity grows with
 * this power of the cores. The ends of the interval are a server that hardly scales, and one that scales perfectly.
 */
export const coresPower: Required<EstimatedInterval> = { value: 0.85, low: 0.7, high: 1 };
/**
 * Bytes of media in a full packet; at the ends of the interval packets stay as they were, or are as full as the MTU
 * allows.
 */
const packetBytes = { value: 1100, fullest: 1400 } as const;
/** Share of a viewer's CPU that does not depend on packets: timers, reports, statistics. At the lower end only. */
const fixedShare = 0.3;
const maxViewers = 1_000_000;

/** What one viewer received in the run, from the growth of the origin's bandwidth. */
export function measuredBitrateKbps(estimate: Estimate): number | undefined {
  const bandwidth = resource(estimate, 'bandwidth');
  return bandwidth?.isRising ? bandwidth.perViewer.value * 1000 : undefined;
}

/** Whether the needs of an audience are known well enough for an answer. */
export function isAnswered({ needs }: WhatIfAnswer): boolean {
  return needs.length > 0 && needs.every(({ verdict }) => verdict !== 'vague');
}

/** The needs of an audience, and the capacity of a machine. Pure. */
export function whatIf(estimate: Estimate, scenario: WhatIf): WhatIfAnswer {
  const needs = needsOf(estimate, scenario, scenario.viewers);
  const isAllKnown = needs.every(({ verdict }) => verdict !== 'vague');
  const [first] = [...needs]
    .filter(hasKnown)
    .filter(({ verdict }) => isAllKnown || verdict === 'too-little')
    .sort((a, b) => b.value / b.has - a.value / a.has);
  const largest = mostOf(estimate, scenario);
  const most = largest && isVague(largest) ? undefined : largest;
  return {
    needs,
    ...(first && { limitedBy: first.id }),
    ...(most && { most }),
    times: estimate.largest > 0 ? scenario.viewers / estimate.largest : 0,
    notes: [
      ...notesOf(estimate, scenario),
      ...(largest && !most
        ? [`Not enough data for the largest audience of such a machine: ${viewersInterval(largest)} viewers.`]
        : []),
    ],
  };
}

const hasKnown = (need: Need): need is Need & { has: number } => need.has !== undefined && need.has > 0;

function resource(estimate: Estimate, id: ResourceId): ResourceEstimate | undefined {
  return estimate.resources.find((resource) => resource.id === id);
}

/**
 * The process's figure if the origin shares its machine with the audience; else the host's, which includes the kernel.
 */
function preferred(estimate: Estimate, host: ResourceId, own: ResourceId): ResourceEstimate | undefined {
  const [first, second] = estimate.machine.sharedWith.length > 0 ? [own, host] : [host, own];
  return resource(estimate, first) ?? resource(estimate, second);
}

function needsOf(estimate: Estimate, scenario: WhatIf, viewers: number): Need[] {
  return [
    cpuNeed(estimate, scenario, viewers),
    bandwidthNeed(estimate, scenario, viewers),
    memoryNeed(estimate, scenario, viewers),
  ].filter((need) => need !== undefined);
}

/** Cores of the measured kind, so many that the CPU stays under its threshold. */
function cpuNeed(estimate: Estimate, scenario: WhatIf, viewers: number): Need | undefined {
  const from = preferred(estimate, 'hostCpu', 'processCpu');
  const cores = estimate.machine.cores;
  if (!from || (from.id === 'hostCpu' && cores === undefined)) return undefined;
  const perCore = from.id === 'hostCpu' ? 100 / (cores ?? 1) : 100;
  const share = (resource(estimate, 'hostCpu')?.threshold?.value ?? defaultExpectations.cpu.value) / 100;
  const scale = cpuByBitrate(estimate, scenario);
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
    mark: markOf(estimate, scenario, viewers),
    has: scenario.cores ?? cores,
  });
}

function bandwidthNeed(estimate: Estimate, scenario: WhatIf, viewers: number): Need | undefined {
  const from = resource(estimate, 'bandwidth');
  if (!from) return undefined;
  const factor = bitrateFactor(estimate, scenario);
  const load = scaled(from, estimate, viewers, { value: factor, low: factor, high: factor });
  return judged({
    id: 'bandwidth',
    from: from.id,
    ...load,
    mark: markOf(estimate, scenario, viewers),
    has: scenario.nicMbps ?? estimate.machine.capacityMbps,
  });
}

/** Memory of a machine used up to its threshold, which leaves the rest to caches and heap. */
function memoryNeed(estimate: Estimate, scenario: WhatIf, viewers: number): Need | undefined {
  const host = resource(estimate, 'memory');
  const processMemory = resource(estimate, 'processMemory');
  const from = preferred(estimate, 'memory', 'processMemory');
  if (!from) return undefined;
  // Memory used by others stays in use.
  const others = from === processMemory ? Math.max(0, (host?.idle.value ?? 0) - processMemory.idle.value) : 0;
  const load = scaled(from, estimate, viewers, { value: 1, low: 1, high: 1 });
  const whole = (value: number): number => (Math.max(0, value) + others) / memoryShare;
  return judged({
    id: 'memory',
    from: from.id,
    value: whole(load.value),
    low: whole(load.low),
    high: whole(load.high),
    mark: markOf(estimate, scenario, viewers),
    has: scenario.memoryBytes ?? estimate.machine.memoryBytes,
  });
}

/**
 * A resource's figure at a size, its growth multiplied. A resource without significant growth may grow within its
 * error.
 */
function scaled(
  from: ResourceEstimate,
  { largest }: Estimate,
  viewers: number,
  factor: Required<EstimatedInterval>,
): Required<EstimatedInterval> {
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

/** CPU scales with packets rather than bits: more bits make more packets, and fuller ones. */
function cpuByBitrate(estimate: Estimate, scenario: WhatIf): Required<EstimatedInterval> {
  const factor = bitrateFactor(estimate, scenario);
  if (factor === 1) return { value: 1, low: 1, high: 1 };
  const kbps = measuredBitrateKbps(estimate) ?? 0;
  const perSecond = resource(estimate, 'packets')?.perViewer.value;
  const more = (factor - 1) * kbps * 125;
  const by = (bytes: number): number =>
    perSecond !== undefined && perSecond > 0 && factor > 1 ? 1 + more / bytes / perSecond : factor;
  const least = fixedShare + (1 - fixedShare) * by(packetBytes.fullest);
  const value = by(packetBytes.value);
  // At a lower bitrate a frame is still a packet: no saving at one end, a full saving at the other.
  return factor > 1
    ? { value, low: Math.min(value, least), high: Math.max(value, factor) }
    : { value: (1 + factor) / 2, low: factor, high: 1 };
}

function judged(need: Omit<Need, 'verdict'>): Need {
  const { has, low, high } = need;
  if (has !== undefined && high <= has) return { ...need, verdict: 'enough' };
  if (has !== undefined && low > has) return { ...need, verdict: 'too-little' };
  if (isVague(need)) return { ...need, verdict: 'vague' };
  return { ...need, verdict: has === undefined ? 'unknown' : 'close' };
}

function markOf(estimate: Estimate, { bitrateKbps }: WhatIf, viewers: number): CeilingMark {
  return viewers <= estimate.largest && bitrateKbps === undefined ? 'measured' : 'extrapolated';
}

/** The largest audience that fits all resources of the machine, with its interval. */
function mostOf(estimate: Estimate, scenario: WhatIf): WhatIfAnswer['most'] {
  const fits =
    (end: 'value' | 'low' | 'high') =>
    (viewers: number): boolean =>
      needsOf(estimate, scenario, viewers)
        .filter(hasKnown)
        .every((need) => need[end] <= need.has);
  const value = lastThat(fits('value'));
  if (value === undefined) return undefined;
  const low = lastThat(fits('high')) ?? value;
  const high = lastThat(fits('low'));
  const over = needsOf(estimate, scenario, value + 1).filter(hasKnown);
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

/** The last size that fits; undefined if all do. */
function lastThat(fits: (viewers: number) => boolean): number | undefined {
  if (!fits(0)) return 0;
  let below = 0;
  let over = 1;
  while (fits(over)) {
    below = over;
    over *= 2;
    if (over > maxViewers) return undefined;
  }
  while (over - below > 1) {
    const middle = Math.floor((below + over) / 2);
    if (fits(middle)) below = middle;
    else over = middle;
  }
  return below;
}

function notesOf(estimate: Estimate, scenario: WhatIf): string[] {
  const { cores } = estimate.machine;
  return [
    ...(bitrateFactor(estimate, scenario) === 1
      ? []
      : [
          'CPU scales with packets: additional bitrate is assumed to come in packets of 1,100 bytes; the interval ranges from fuller packets to a packet rate proportional to the bitrate.',
        ]),
    ...(cores !== undefined && scenario.cores !== undefined && scenario.cores !== cores
      ? [
          `${scenario.cores} cores of this kind handle ${(scenario.cores / cores) ** coresPower.value < 10 ? ((scenario.cores / cores) ** coresPower.value).toFixed(1) : Math.round((scenario.cores / cores) ** coresPower.value)} times the load of ${cores} (between ${((scenario.cores / cores) ** coresPower.low).toFixed(1)} and ${((scenario.cores / cores) ** coresPower.high).toFixed(1)}): larger machines are not proportionally faster.`,
        ]
      : []),
  ];
}
