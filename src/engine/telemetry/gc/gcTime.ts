import type { ClockView } from '../../../domain/node';
import type { LineTime } from './gcLine';

/** How far an uptime may run backwards before it is that of another JVM. */
const restartMs = 1000;

/**
 * When a line's pause ended, by our clock. Where the host's clock is measured the log's own time counts; else its arrival tells
 * how the log's time lies to ours: of all lines so far, the one that came fastest.
 */
export class GcTime {
  private aheadMs: number | undefined;
  private latestMs = -Infinity;
  private by: 'wall' | 'uptime' | undefined;

  constructor(private readonly theirClock: () => ClockView | undefined) {}

  /** Unix time in ms, whole. */
  timeOf(time: LineTime, arrivedMs: number): number {
    const { wallMs, uptimeMs } = time;
    const measured = this.theirClock();
    if (wallMs !== undefined && measured) return Math.round(wallMs - measured.offsetMs);
    const theirMs = wallMs ?? uptimeMs;
    if (theirMs === undefined) return Math.round(arrivedMs);
    const by = wallMs !== undefined ? 'wall' : 'uptime';
    if (by !== this.by || theirMs < this.latestMs - restartMs) this.aheadMs = undefined;
    this.by = by;
    this.latestMs = theirMs;
    this.aheadMs = Math.max(this.aheadMs ?? -Infinity, theirMs - arrivedMs);
    return Math.round(theirMs - this.aheadMs);
  }
}
