import type { ClockView } from '../../../domain/model/node';
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
