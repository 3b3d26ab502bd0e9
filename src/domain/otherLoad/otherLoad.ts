import { asSentence } from '../sentence';
import { thisMachine } from '../host';
import { formatFigure } from '../numberFormat';

/** A program's part of what a host was busy with, all processes of its name together. */
export interface ProgramShare {
  /** As the kernel has it (15 characters at most), or `Fullhouse console` for the processes of this app. */
  readonly name: string;
  /** Percent of all cores of the host. */
  readonly percent: number;
  /** Resident memory. */
  readonly memoryBytes?: number;
}

/** What used most of a host's CPU besides the test at one time. */
export interface OtherLoad {
  /** Name of the node in the run; other nodes on its host saw the same. */
  readonly node: string;
  /** Unix ms: the end of the time over which it was measured. */
  readonly timeMs: number;
  /** Largest first. */
  readonly programs: readonly ProgramShare[];
}

/** A host as it was before the first viewer. */
export interface HostBaseline {
  /** The run's names of the nodes on this host. */
  readonly nodes: readonly string[];
  /** Means over the baseline by series (`gcPauseMs`: the longest); absent where nothing was measured. */
  readonly values: Readonly<Record<string, number>>;
  readonly programs?: readonly ProgramShare[];
}

/** What other programs took of a host's CPU over a time, in percent of all cores. */
export interface OtherShare {
  readonly other: number;
  /** Given to other virtual machines by the hypervisor. */
  readonly stolen: number;
  /** False: nothing tells processes apart there, and it is the CPU that was in use before the first viewer. */
  readonly isMeasured: boolean;
  readonly top?: ProgramShare;
}

/** From where on other programs matter. Percent of all cores unless said otherwise. */
export const otherLoadBounds = {
  /** Below it a machine is not busy with others: every system does something of its own. */
  leastPercent: 5,
  /** The same where processes are not told apart: an idle server's own use is part of such a baseline. */
  leastBaselinePercent: 10,
  /** Others that take less don't keep a server or a tester from its processor. */
  contendedOtherPercent: 10,
  /** So busy in the mean of a second, a host has no free processor in parts of it. */
  contendedCpuPercent: 85,
  /** Of one core: a process that waited for so long missed its time more than once in the second. */
  contendedWaitPercent: 10,
  /** Of the time: some task waited. Two tasks that share one of several cores give less. */
  contendedPressurePercent: 40,
  /** Before a start: others that take more leave a mark in the figures. */
  warnPercent: 25,
  /** So much is left for the test below the CPU limit of a plan; with less, a run is decided by others. */
  leastRoomPercent: 10,
} as const;

const percentOf = (value: number): string => `${formatFigure(Math.round(value), 'integer')} %`;

/** How a host is called in a sentence; `host` as in a node's view. */
export function machineName(host: string, node: string): string {
  return host === thisMachine ? 'this machine' : `the machine of ${node}`;
}

/** `other programs used 84 % of its CPU (top: chrome 61 %)`; `tense` of a run that is over, or of now. */
export function otherUse({ other, stolen, isMeasured, top }: OtherShare, tense: 'used' | 'use'): string {
  const byHypervisor = stolen >= otherLoadBounds.leastPercent;
  const taken = `its hypervisor ${tense === 'used' ? 'took' : 'takes'} ${percentOf(stolen)} of its CPU`;
  if (byHypervisor && other < otherLoadBounds.leastPercent) return taken;
  const whose = isMeasured ? 'other programs' : 'before the first viewer, programs';
  // Names come from a look of their own over other seconds: a part is never told as more than the whole.
  const named =
    top && top.percent >= 1 ? ` (top: ${top.name} ${percentOf(Math.min(top.percent, other))})` : '';
  const use = `${whose} ${tense} ${percentOf(other)} of its CPU${named}`;
  return byHypervisor ? `${use}, and ${taken}` : use;
}

/** What was expected of a host, as a reason tells it. */
export const aloneExpected = 'expected a machine that runs the test alone';

/** What is said of a host before a start: a whole sentence, and whether a run now could be judged at all. */
export interface LoadBefore {
  readonly state: 'quiet' | 'loaded' | 'busy';
  readonly sentence: string;
}

/** Whether so much is other programs at all, and no more than what any system does by itself. */
export function isBusy({ other, stolen, isMeasured }: OtherShare): boolean {
  const { leastPercent, leastBaselinePercent } = otherLoadBounds;
  return other + stolen >= (isMeasured ? leastPercent : leastBaselinePercent);
}

/** `this machine is busy: other programs use 84 % of its CPU (top: chrome 61 %)`; undefined where it is not. */
export function busyNow(host: string, node: string, share: OtherShare): string | undefined {
  return isBusy(share) ? `${machineName(host, node)} is busy: ${otherUse(share, 'use')}` : undefined;
}

/** Judges the load of a host before a run; `cpuLimit` as the plan expects it, percent. */
export function loadBefore(
  host: string,
  node: string,
  share: OtherShare,
  cpuLimit: number | undefined,
): LoadBefore {
  const { warnPercent, leastRoomPercent } = otherLoadBounds;
  const taken = share.other + share.stolen;
  const whose = asSentence(machineName(host, node), [node]);
  const busyFrom = Math.max(warnPercent, (cpuLimit ?? 100) - leastRoomPercent);
  const use = otherUse(share, 'use');
  if (taken >= busyFrom)
    return { state: 'busy', sentence: `${whose} is busy: ${use}. A run now would be inconclusive.` };
  if (taken >= warnPercent)
    return {
      state: 'loaded',
      sentence: `${whose} is in use: ${use}. Close programs for figures that are the test's alone.`,
    };
  return {
    state: 'quiet',
    sentence: `Load before the test on ${machineName(host, node)}: ${use}.`,
  };
}
