import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

const processMark = z.object({
  pid: z.number().int().positive(),
  /** Distinguishes a process from a later one with the same pid; empty where the system does not report it. */
  started: z.string(),
});

/** The process that writes a run file, and the one on whose behalf it does: the file has a writer while one of them runs. */
export const writerMark = processMark.extend({
  host: z.string(),
  by: processMark.optional(),
});
export type WriterMark = z.infer<typeof writerMark>;

/** Boot and start time of a process, on Linux. The name in parentheses may itself contain spaces and parentheses. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${boot}:${ticks}`;
  } catch {
    return '';
  }
}

/** This process, as written into its files; `owner`: the process that has it write, which would replace it. */
export function ownMark(owner?: number): WriterMark {
  return markOf(process.pid, owner);
}

/** A process of this machine. */
export function markOf(pid: number, owner?: number): WriterMark {
  const { host, ...by } = { host: hostname(), pid, started: startOf(pid) };
  return owner === undefined ? { host, ...by } : { host, pid: owner, started: startOf(owner), by };
}

/** Whether a process of this machine runs. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether that process still runs here. A mark of another host counts as dead: the folder of runs belongs to one
 * machine, and a file from elsewhere has no writer.
 */
export function writerLives(mark: WriterMark): boolean {
  return mark.host === hostname() && (isAlive(mark) || (mark.by !== undefined && isAlive(mark.by)));
}

function isAlive({ pid, started }: z.infer<typeof processMark>): boolean {
  return processExists(pid) && (started === '' || startOf(pid) === started);
}
