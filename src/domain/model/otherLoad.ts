import { z } from 'zod';
import { asSentence } from '../text/sentence';
import { thisMachine } from './host';
import { formatFigure } from '../text/numberFormat';
import { immutable } from './schema';

/** A program's share of a host's CPU, all processes of its name in total. */
const programShare = immutable(
  z.object({
    /** As reported by the kernel (15 characters at most). */
    name: z.string(),
    /** Percent of all cores of the host. */
    percent: z.number(),
    /** Resident memory. */
    memoryBytes: z.number().optional(),
  }),
);
export type ProgramShare = z.infer<typeof programShare>;

/** The programs that used most of a host's CPU besides the test at one time. */
export const otherLoad = immutable(
  z.object({
    /** Name of the node in the run; it applies to all nodes on its host. */
    node: z.string(),
    /** Unix ms: the end of the measured interval. */
    timeMs: z.number().nonnegative(),
    /** Largest first. */
    programs: z.array(programShare),
  }),
);
export type OtherLoad = z.infer<typeof otherLoad>;

/** A host before the first viewer. */
export const hostBaseline = immutable(
  z.object({
    /** The run's names of the nodes on this host. */
    nodes: z.array(z.string()),
    /** Means over the baseline by series (`gcPauseMs`: the longest); absent if nothing was measured. */
    values: z.record(z.string(), z.number()),
    programs: z.array(programShare).optional(),
  }),
);
export type HostBaseline = z.infer<typeof hostBaseline>;

/** CPU use by other programs on a host over an interval, in percent of all cores. */
export interface OtherShare {
  readonly other: number;
  /** Used by other virtual machines (steal). */
  readonly stolen: number;
  /** Used by this console itself; only on its own machine. */
  readonly console?: number;
  /** False: processes can't be distinguished there, and this is the CPU in use before the first viewer. */
  readonly isMeasured: boolean;
  readonly top?: ProgramShare;
}

/** Thresholds of other programs' use. Percent of all cores unless stated otherwise. */
export const otherLoadBounds = {
  /** Below this a machine is not busy: every system has some background load. */
  minPercent: 5,
  /** The minimum if processes can't be distinguished: the baseline then includes the idle server's own use. */
  minBaselinePercent: 10,
  /**
   * Below this, other programs don't keep a server or a tester from its processor: a scheduler shares the processors
   * evenly, so a quarter used by others is not felt before the test itself needs more than the rest. It is also the use
   * from which on a start is warned of: a load that was called quiet before a run excuses nothing after it.
   */
  contendedOtherPercent: 25,
  /** If this busy in the mean of a second, a host has no free processor in parts of it. */
  contendedCpuPercent: 85,
  /** Share of one core: a process that waited this long was delayed more than once in the second. */
  contendedWaitPercent: 10,
  /** Share of the time in which some task waited. Two tasks sharing one of several cores stay below. */
  contendedPressurePercent: 40,
  /** Before a start: from here on, other programs affect the figures. */
  warnPercent: 25,
  /** Minimum left for the test below the CPU limit of a plan; with less, other programs decide the run. */
  minHeadroomPercent: 10,
} as const;

const percentOf = (value: number): string => `${formatFigure(Math.round(value), 'integer')} %`;

/** Name of a host in a sentence; `host` as in a node's view. */
export function machineName(host: string, node: string): string {
  return host === thisMachine ? 'this machine' : `the machine of ${node}`;
}

/** CPU that the test could not have, whoever used it. */
export function takenPercent({ other, stolen, console = 0 }: OtherShare): number {
  return other + stolen + console;
}

/** What lowers the console's own use, which is mostly the drawing of its window. */
const lowerConsole = 'close its players and charts, or start the run from the command line';

/**
 * `other programs used 84 % of its CPU (top: chrome 61 %)`; `tense`: of an ended run, or of now. The console's own use is
 * named as that.
 */
export function otherUse(share: OtherShare, tense: 'used' | 'use'): string {
  const { minPercent, contendedOtherPercent } = otherLoadBounds;
  const { other, stolen, console = 0 } = share;
  // Beside others that suffice as a reason, a small part of its own explains nothing.
  const isBySelf = console >= (other >= contendedOtherPercent ? contendedOtherPercent : minPercent);
  const isStolen = stolen >= minPercent;
  const parts = [
    ...(other >= minPercent || !(isBySelf || isStolen) ? [othersUse(share, tense)] : []),
    ...(isBySelf
      ? [`this console ${tense === 'used' ? 'used' : 'uses'} ${percentOf(console)} of its CPU (${lowerConsole})`]
      : []),
    ...(isStolen ? [`its hypervisor ${tense === 'used' ? 'took' : 'takes'} ${percentOf(stolen)} of its CPU`] : []),
  ];
  return parts.length < 3 ? parts.join(', and ') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1) ?? ''}`;
}

function othersUse({ other, isMeasured, top }: OtherShare, tense: 'used' | 'use'): string {
  const whose = isMeasured ? 'other programs' : 'before the first viewer, programs';
  // Names come from a separate scan at other seconds: a part must never exceed the total.
  const named = top && top.percent >= 1 ? ` (top: ${top.name} ${percentOf(Math.min(top.percent, other))})` : '';
  return `${whose} ${tense} ${percentOf(other)} of its CPU${named}`;
}

/** The expectation of a host, as stated in a reason. */
export const dedicatedExpected = 'expected a dedicated machine';

/** The state of a host before a start: a complete sentence, and whether a run now could be judged at all. */
export const hostState = immutable(
  z.object({
    state: z.enum(['quiet', 'loaded', 'busy']),
    sentence: z.string(),
    /** CPU used by others and by this console, percent of all cores. */
    takenPercent: z.number().optional(),
  }),
);
export type LoadBefore = z.infer<typeof hostState>;

/** Whether other programs use more than the usual background load. */
export function isBusy(share: OtherShare): boolean {
  const { minPercent, minBaselinePercent } = otherLoadBounds;
  return takenPercent(share) >= (share.isMeasured ? minPercent : minBaselinePercent);
}

/** `this machine is busy: other programs use 84 % of its CPU (top: chrome 61 %)`; undefined if not busy. */
export function busyNow(host: string, node: string, share: OtherShare): string | undefined {
  return isBusy(share) ? `${machineName(host, node)} is busy: ${otherUse(share, 'use')}` : undefined;
}

/** Judges the load of a host before a run; `cpuLimit` is the plan's expectation, percent. */
export function loadBefore(host: string, node: string, share: OtherShare, cpuLimit: number | undefined): LoadBefore {
  const { warnPercent, minHeadroomPercent } = otherLoadBounds;
  const taken = takenPercent(share);
  const whose = asSentence(machineName(host, node), [node]);
  const busyFrom = Math.max(warnPercent, (cpuLimit ?? 100) - minHeadroomPercent);
  const use = otherUse(share, 'use');
  if (taken >= busyFrom)
    return {
      ...{ state: 'busy', takenPercent: taken },
      sentence: `${whose} is busy: ${use}. A run now would be inconclusive.`,
    };
  if (taken >= warnPercent)
    return {
      ...{ state: 'loaded', takenPercent: taken },
      sentence: `${whose} is in use: ${use}. Close other programs for accurate figures.`,
    };
  return {
    ...{ state: 'quiet', takenPercent: taken },
    sentence: `Load before the test on ${machineName(host, node)}: ${use}.`,
  };
}

/** Sizes of a first run, largest first. */
const firstSizes = [100, 50, 20, 10] as const;
/** Measured of the window while it draws a run without a graphics processor: of one core. */
const windowCores = 0.9;
/** The lab, its agent and the packets on loopback need a third of it: of one core for each viewer. */
const coresPerViewer = 0.005;

/**
 * Viewers of a first run that this machine can judge: with the window's drawing, and with what is used there now, it
 * stays below the CPU limit.
 */
export function firstViewers(cores: number, taken: number, cpuLimit: number): number {
  const free = (cores * (cpuLimit - taken)) / 100 - windowCores;
  return firstSizes.find((size) => size * coresPerViewer <= free) ?? firstSizes[firstSizes.length - 1] ?? 10;
}
