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

/**
 * Whether that process still runs here. A mark of another host counts as dead: the folder of runs belongs to one
 * machine, and a file from elsewhere has no writer.
 */
export function writerLives(mark: WriterMark): boolean {
  if (mark.host !== hostname()) return false;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return mark.started === '' || startOf(mark.pid) === mark.started;
}
