import type { HostReading, ProcessReading } from '../hostRates';
import { parseProc, type ProcText } from '../procParse';
import { sumOfWaits } from '../localProcesses';
import type { HostFacts } from './machineFacts';

/** A response to `sample`, unprocessed. */
export interface ProcResponse {
  /** The host's time in ms, and its resolution. */
  readonly remoteClockMs: number;
  readonly resolutionMs: number;
  readonly proc: ProcText;
  readonly openFiles: ReadonlyMap<number, number>;
  /** How long a process's threads waited for a processor so far, in ms, by its pid. */
  readonly waitedMs?: ReadonlyMap<number, number>;
}

/** `TIME` of `@sample ID TIME`: ns since 1970, or whole seconds followed by what a simpler `date` made of `%N`. */
export function parseRemoteTime(
  text: string,
): { readonly remoteClockMs: number; readonly resolutionMs: number } | undefined {
  if (/^\d{19}$/.test(text))
    return { remoteClockMs: Number(text.slice(0, 13)) + Number(text.slice(13)) / 1e6, resolutionMs: 0 };
  const seconds = /^(\d{10})(?!\d)/.exec(text);
  // Somewhere within that second.
  return seconds ? { remoteClockMs: Number(seconds[1]) * 1000 + 500, resolutionMs: 1000 } : undefined;
}

/** Parses the lines between `@sample` and `@end`. */
export function parseProcResponse(time: string, lines: readonly string[]): ProcResponse | undefined {
  const remote = parseRemoteTime(time);
  if (!remote) return undefined;
  const openFiles = new Map<number, number>();
  for (const line of lines) {
    if (!line.startsWith('@files ')) continue;
    const [, pid, count] = line.split(' ').map(Number);
    if (pid !== undefined && count !== undefined) openFiles.set(pid, count);
  }
  return { ...remote, proc: parseProc(lines), openFiles, waitedMs: waitsOf(lines) };
}

/** Lines of schedstat after each `@waits PID`, up to the next line of our script. */
function waitsOf(lines: readonly string[]): ReadonlyMap<number, number> {
  const waits = new Map<number, number>();
  lines.forEach((line, place) => {
    if (!line.startsWith('@waits ')) return;
    const after = lines.slice(place + 1);
    const end = after.findIndex((line) => !/^\d+ \d+ \d+$/.test(line));
    const waited = sumOfWaits(end < 0 ? after : after.slice(0, end));
    if (waited !== undefined) waits.set(Number(line.slice('@waits '.length)), waited);
  });
  return waits;
}

/** A larger step of the wall clock means that it was set: the uptime counts then. */
const trustedDifferenceMs = 30;

/**
 * Turns responses of one channel into readings. Rates need a clock that is not set meanwhile. The uptime is one, but
 * has a resolution of 10 ms, so the wall clock counts as long as the two agree.
 */
export class ProcReader {
  private monotonicMs = 0;
  private before: ProcResponse | undefined;

  constructor(private readonly facts: HostFacts) {}

  /**
   * `own` are processes of the test besides the server's; undefined where they can't be distinguished from other
   * programs.
   */
  read(answer: ProcResponse, own?: readonly number[]): HostReading {
    const { before } = this;
    this.before = answer;
    if (before) {
      const wallMs = answer.remoteClockMs - before.remoteClockMs;
      const upMs = (answer.proc.uptimeMs ?? NaN) - (before.proc.uptimeMs ?? NaN);
      const isWallGood = answer.resolutionMs === 0 && !(Math.abs(wallMs - upMs) > trustedDifferenceMs);
      this.monotonicMs += isWallGood || Number.isNaN(upMs) ? wallMs : upMs;
    }
    const { processStats, uptimeMs: _, memoryTotalBytes: __, ...counters } = answer.proc;
    const all: ProcessReading[] = processStats.map((stat) => ({
      pid: stat.pid,
      startedAt: stat.startTicks,
      cpuSeconds: stat.cpuTicks / this.facts.ticksPerSecond,
      memoryBytes: stat.residentPages * this.facts.pageBytes,
      threads: stat.threads,
      openFiles: answer.openFiles.get(stat.pid),
      waitedMs: answer.waitedMs?.get(stat.pid),
    }));
    const isOwn = ({ pid }: ProcessReading): boolean => own?.includes(pid) === true;
    return {
      monotonicMs: this.monotonicMs,
      ...counters,
      processes: all.filter((process) => !isOwn(process)),
      ...(own ? { ours: all.filter(isOwn) } : {}),
    };
  }
}
