import type { Drill } from './drill';
import type { Recorded } from './recorded';

/** One fault, applied to a run of 300 viewers. */
export interface Fault {
  /** As in the table. */
  readonly name: string;
  /** The sentence that a person sees, among all that is shown; its first group, if any, is what the table has. */
  readonly sentence: RegExp;
  /** The documented exit code of the console. */
  readonly exit: number;
  /** Length in seconds of the time in which nothing can be measured. */
  readonly gapSeconds?: number;
  /** Whether no viewer connects because the run is refused before its start. */
  readonly isRefused?: boolean;
  play(drill: Drill): Promise<Played>;
}

/** What was left of a run after its fault. */
export interface Played {
  /** All that a person saw. */
  readonly shown: string;
  readonly exit: number;
  /** Undefined for a run without samples. */
  readonly recorded?: Recorded;
  /** When the recording process was killed. */
  readonly killedMs?: number;
  readonly leftovers: readonly string[];
}

/** Faults are applied so long after all viewers have connected. */
export const settledMs = 4000;

/**
 * Of a killed console this much at the end may be missing: the second that is measured, the one being written, and the
 * delay of a busy machine.
 */
export const unflushedMs = 5000;

/**
 * Lost samples that nothing explains: on an overloaded machine an agent may get no processor for some seconds, which its
 * run states.
 */
export function unexplainedLoss({ gapSeconds }: Pick<Fault, 'gapSeconds'>, { shown, recorded }: Played): number {
  const stated = [...shown.matchAll(/audience: The agent did not run for (\d+) s/g)];
  const explained = gapSeconds === undefined ? stated.reduce((sum, [, length]) => sum + Number(length), 0) : 0;
  return Math.max(0, (recorded?.lost ?? 0) - explained);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a condition holds within a limit. Looks rarely, since some conditions read all of /proc. */
export async function soon(check: () => boolean, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  while (!check()) {
    if (performance.now() > endMs) return false;
    await pause(200);
  }
  return true;
}
