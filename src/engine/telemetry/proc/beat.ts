import type { HostReading, ProcessReading } from '../hostRates';
import { parseProc, type ProcText } from '../procParse';
import type { HostFacts } from './machineFacts';

/** An answered beat as it came. */
export interface BeatAnswer {
  /** Their time in ms, and how finely they told it. */
  readonly theirMs: number;
  readonly resolutionMs: number;
  readonly proc: ProcText;
  readonly openFiles: ReadonlyMap<number, number>;
}

/** `TIME` of `@beat ID TIME`: ns since 1970, or whole seconds with whatever such a `date` made of `%N`. */
export function parseTheirTime(
  text: string,
): { readonly theirMs: number; readonly resolutionMs: number } | undefined {
  if (/^\d{19}$/.test(text))
    return { theirMs: Number(text.slice(0, 13)) + Number(text.slice(13)) / 1e6, resolutionMs: 0 };
  const seconds = /^(\d{10})(?!\d)/.exec(text);
  // Somewhere within that second.
  return seconds ? { theirMs: Number(seconds[1]) * 1000 + 500, resolutionMs: 1000 } : undefined;
}

/** Makes an answer of the lines between `@beat` and `@end`. */
export function parseBeat(time: string, lines: readonly string[]): BeatAnswer | undefined {
  const told = parseTheirTime(time);
  if (!told) return undefined;
  const openFiles = new Map<number, number>();
  for (const line of lines) {
    if (!line.startsWith('@files ')) continue;
    const [, pid, count] = line.split(' ').map(Number);
    if (pid !== undefined && count !== undefined) openFiles.set(pid, count);
  }
  return { ...told, proc: parseProc(lines), openFiles };
}

/** A step of the wall clock that is larger than this is a clock being set: their uptime counts then. */
const trustedDifferenceMs = 30;

/**
 * Turns answers of one channel into readings. Rates need a clock that is not set meanwhile; the uptime is one, but counts in
 * 10 ms only, so the wall clock counts as long as the two agree.
 */
export class BeatReader {
  private monotonicMs = 0;
  private before: BeatAnswer | undefined;

  constructor(private readonly facts: HostFacts) {}

  read(answer: BeatAnswer): HostReading {
    const { before } = this;
    this.before = answer;
    if (before) {
      const wallMs = answer.theirMs - before.theirMs;
      const upMs = (answer.proc.uptimeMs ?? NaN) - (before.proc.uptimeMs ?? NaN);
      const isWallGood = answer.resolutionMs === 0 && !(Math.abs(wallMs - upMs) > trustedDifferenceMs);
      this.monotonicMs += isWallGood || Number.isNaN(upMs) ? wallMs : upMs;
    }
    const { cpu, load, memoryUsedBytes, interfaces, udp, sockets, processStats } = answer.proc;
    const processes: ProcessReading[] = processStats.map((stat) => ({
      pid: stat.pid,
      startedAt: stat.startTicks,
      cpuSeconds: stat.cpuTicks / this.facts.ticksPerSecond,
      memoryBytes: stat.residentPages * this.facts.pageBytes,
      threads: stat.threads,
      openFiles: answer.openFiles.get(stat.pid),
    }));
    return { monotonicMs: this.monotonicMs, cpu, load, memoryUsedBytes, interfaces, udp, sockets, processes };
  }
}
