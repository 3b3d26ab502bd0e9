import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/** The process that writes a run file. */
export const writerMark = z.object({
  host: z.string(),
  pid: z.number().int().positive(),
  /** Distinguishes a process from a later one with the same pid; empty where the system does not report it. */
  started: z.string(),
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

/** This process, as written into its files. */
export function ownMark(): WriterMark {
  return markOf(process.pid);
}

/** A process of this machine. */
export function markOf(pid: number): WriterMark {
  return { host: hostname(), pid, started: startOf(pid) };
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
  if (mark.host !== hostname() || !processExists(mark.pid)) return false;
  return mark.started === '' || startOf(mark.pid) === mark.started;
}
