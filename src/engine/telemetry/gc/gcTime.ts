import type { ClockView } from '../../../domain/model/node';
import type { HostSample } from '../hostSource';
import type { LineTime } from './gcLine';

/** A larger step back of the uptime means another JVM. */
const restartMs = 1000;

/**
 * When a line's pause ended, by our clock. Where the host's clock is measured the log's own time counts; else the
 * offset of the log's time is taken from the line with the shortest delay so far.
 */
export class GcTime {
  private aheadMs: number | undefined;
  private latestMs = -Infinity;
  private by: 'wall' | 'uptime' | undefined;

  constructor(private readonly remoteClock: () => ClockView | undefined) {}

  /** Unix time in whole ms. */
  timeOf(time: LineTime, arrivedMs: number): number {
    const { wallMs, uptimeMs } = time;
    const measured = this.remoteClock();
    if (wallMs !== undefined && measured) return Math.round(wallMs - measured.offsetMs);
    const remoteMs = wallMs ?? uptimeMs;
    if (remoteMs === undefined) return Math.round(arrivedMs);
    const by = wallMs !== undefined ? 'wall' : 'uptime';
    if (by !== this.by || remoteMs < this.latestMs - restartMs) this.aheadMs = undefined;
    this.by = by;
    this.latestMs = remoteMs;
    this.aheadMs = Math.max(this.aheadMs ?? -Infinity, remoteMs - arrivedMs);
    return Math.round(remoteMs - this.aheadMs);
  }
}

/** A stop-the-world pause, or a stall of one thread. */
export interface GcPause {
  /** When it ended, Unix time in ms by our clock. */
  readonly timeMs: number;
  readonly pauseMs: number;
  /**
   * `stall` is one thread that waited for memory; everything else stopped the entire program, e.g. `Mark Start`, `Young
   * (Normal)`.
   */
  readonly kind: string;
}

/** The series of allocation stalls; they are not pauses, since only one thread stops. */
const stallSeries = 'server:gc_stall_ms';

/** The longest pause and the longest stall of each second with one; other seconds yield no sample. */
export function longestPerSecond(pauses: readonly GcPause[]): HostSample[] {
  const seconds = new Map<number, { pause?: GcPause; stall?: GcPause }>();
  for (const one of pauses) {
    const second = Math.floor(one.timeMs / 1000);
    const longest = seconds.get(second) ?? {};
    seconds.set(second, longest);
    const place = one.kind === 'stall' ? 'stall' : 'pause';
    if (one.pauseMs >= (longest[place]?.pauseMs ?? 0)) longest[place] = one;
  }
  return [...seconds.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, { pause, stall }]) => ({
      timeMs: (pause ?? stall)?.timeMs ?? 0,
      values: {
        ...(pause && { gcPauseMs: pause.pauseMs }),
        ...(stall && { [stallSeries]: stall.pauseMs }),
      },
    }));
}
