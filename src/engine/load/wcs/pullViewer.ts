import { degradedCause, degradedRule, type DegradedCause } from '../../../domain/degraded';
import type { FailureStage, ViewerRow } from '../../../domain/run';
import type { WcsMetrics, WcsPull, WcsStream } from '../../servers/wcs/restSchemas';
import { isOver } from '../../servers/wcs/streamViews';

export const pullBounds = {
  /** A pull that was taken and brings nothing within this time has failed. */
  firstMediaMs: 30_000,
  /** A viewer that was connected and gets nothing for this long has failed, as with an agent. */
  silentMs: 10_000,
  /** A pull whose answer was lost may still come to be within this time. */
  unsureMs: 5000,
} as const;

/** One pull on the tester, which plays one viewer. It is judged once a second by what the tester lists. */
export class PullViewer {
  state: ViewerRow['state'] = 'waiting';
  arrivedMs: number | undefined;
  /** When the tester's answer to the order came, whatever it was. */
  answeredMs: number | undefined;
  connectedMs: number | undefined;
  /** The tester holds something for it, or may do so. */
  isHeld = false;
  /** It was told to end, then. */
  terminatedMs: number | undefined;
  unsureUntilMs = 0;
  failure: ViewerRow['failure'];
  freezes = 0;
  frozenMs = 0;
  degraded: DegradedCause | undefined;
  mediaSessionId: string | undefined;
  private metrics: WcsMetrics | undefined;
  private missing = 0;
  private lastMediaMs = 0;
  private lastSeenMs: number | undefined;
  /** Frame rates of the last few seconds, once there was one. */
  private rates: Array<{ readonly timeMs: number; readonly fps: number }> = [];

  constructor(
    readonly number: number,
    readonly name: string,
  ) {}

  /** The video frames of the last second, when the tester tells. */
  get fps(): number | undefined {
    return this.state === 'connected' ? this.metrics?.VIDEO_FPS : undefined;
  }

  get bitsPerSecond(): number {
    if (this.state !== 'connected') return 0;
    return (this.metrics?.VIDEO_RATE ?? 0) + (this.metrics?.AUDIO_RATE ?? 0);
  }

  fail(stage: FailureStage, cause: string, detail: string): void {
    this.state = 'failed';
    this.degraded = undefined;
    this.failure = { stage, cause, detail };
  }

  /** The tester took the order. */
  accept(nowMs: number): void {
    this.answeredMs = nowMs;
    this.isHeld = true;
  }

  /** The tester refused, or its answer never came. */
  refuse(nowMs: number, isSure: boolean): void {
    this.answeredMs = nowMs;
    this.isHeld = !isSure;
    if (!isSure) this.unsureUntilMs = nowMs + pullBounds.unsureMs;
  }

  /** Takes what the tester lists of it; returns true when it has become connected just now. */
  see(
    nowMs: number,
    askedMs: number,
    pull: WcsPull | undefined,
    stream: WcsStream | undefined,
    hasMetrics: boolean,
  ): boolean {
    this.mediaSessionId = stream?.mediaSessionId ?? pull?.localMediaSessionId ?? this.mediaSessionId;
    if (pull || (stream && !isOver(stream.status))) {
      this.missing = 0;
      this.isHeld = true;
    } else if (this.answeredMs !== undefined && this.answeredMs < askedMs) this.miss(nowMs);
    if (this.state !== 'connecting' && this.state !== 'connected') return false;
    if (this.answeredMs === undefined || !this.isHeld || this.missing > 0) return false;
    if (isOver(pull?.status)) {
      this.failAs(
        `pull-${pull?.status?.toLowerCase() ?? 'over'}`,
        `The tester lists it as ${pull?.status ?? ''}.`,
      );
      return false;
    }
    return this.takeMedia(nowMs, stream, pull, hasMetrics);
  }

  /** Judges how it watches, by the one rule of what a degraded viewer is; loss is not told by a WCS. */
  judge(nowMs: number, nominalFps: number): void {
    this.degraded = undefined;
    if (this.state !== 'connected' || this.connectedMs === undefined || this.rates.length === 0) return;
    const fps = this.rates.map((rate) => rate.fps);
    this.degraded = degradedCause({
      // A second without a frame holds a gap of more than half of one.
      longestGapMs: fps.includes(0) ? 1000 : 0,
      frameRate: fps.reduce((sum, rate) => sum + rate, 0) / fps.length,
      nominalFrameRate: nominalFps,
      lossPercent: 0,
      connectedForMs: nowMs - this.connectedMs,
    });
  }

  row(): Omit<ViewerRow, 'tester' | 'job'> {
    const metrics = this.metrics ?? {};
    const sum = (...names: string[]): number =>
      names.reduce((total, name) => total + (metrics[name] ?? 0), 0);
    return {
      viewer: this.number,
      state: this.state,
      arrivedMs: this.arrivedMs,
      connectMs:
        this.connectedMs === undefined || this.arrivedMs === undefined
          ? undefined
          : this.connectedMs - this.arrivedMs,
      packets: 0,
      bytes: 0,
      lost: sum('VIDEO_LOST', 'AUDIO_LOST'),
      lossPercent: 0,
      frames: sum('VIDEO_K_FRAMES', 'VIDEO_P_FRAMES', 'VIDEO_B_FRAMES'),
      fps: this.fps,
      freezes: this.freezes,
      frozenMs: this.frozenMs,
      degraded: this.degraded !== undefined,
      degradedBecause: this.degraded,
      failure: this.failure,
    };
  }

  /** Not in the lists any more; a single list may have been made while it changed. */
  private miss(nowMs: number): void {
    this.missing += 1;
    if (nowMs < this.unsureUntilMs) return;
    if (this.state === 'leaving' || this.state === 'failed') {
      this.isHeld = false;
      if (this.state === 'leaving') this.state = 'left';
      return;
    }
    if (this.missing < 2) return;
    this.isHeld = false;
    if (this.state === 'connecting' || this.state === 'connected')
      this.failAs('gone', 'The tester does not list it any more.');
  }

  private takeMedia(
    nowMs: number,
    stream: WcsStream | undefined,
    pull: WcsPull | undefined,
    hasMetrics: boolean,
  ): boolean {
    this.metrics = stream?.metrics;
    const status = stream?.status;
    const flows = stream?.metrics
      ? hasMedia(stream.metrics)
      : !hasMetrics && status !== undefined && !isOver(status) && status !== 'NEW' && status !== 'PENDING';
    if (flows) this.lastMediaMs = nowMs;
    if (this.state === 'connecting') {
      if (flows) {
        this.state = 'connected';
        this.connectedMs = nowMs;
        this.takeRate(nowMs);
        return true;
      }
      if (nowMs - (this.answeredMs ?? nowMs) >= pullBounds.firstMediaMs)
        this.fail(
          'first-packet',
          'timeout',
          `The tester took the order, and no media came within ${pullBounds.firstMediaMs / 1000} s; it lists the pull as ${pull?.status ?? 'unknown'}.`,
        );
      return false;
    }
    this.takeRate(nowMs);
    if (nowMs - this.lastMediaMs >= pullBounds.silentMs)
      this.fail('media', 'silent', `No media for ${pullBounds.silentMs / 1000} s.`);
    return false;
  }

  private takeRate(nowMs: number): void {
    const fps = this.metrics?.VIDEO_FPS;
    const sinceMs = this.lastSeenMs === undefined ? 0 : nowMs - this.lastSeenMs;
    this.lastSeenMs = nowMs;
    if (fps === undefined || (fps === 0 && this.rates.length === 0)) return;
    if (fps === 0) {
      this.frozenMs += sinceMs;
      if (this.rates[this.rates.length - 1]?.fps !== 0) this.freezes += 1;
    }
    this.rates.push({ timeMs: nowMs, fps });
    this.rates = this.rates.filter(({ timeMs }) => nowMs - timeMs < degradedRule.windowMs);
  }

  private failAs(cause: string, detail: string): void {
    this.fail(this.state === 'connected' ? 'media' : 'signalling', cause, detail);
  }
}

/** Anything of a stream that only media can bring. */
function hasMedia(metrics: WcsMetrics): boolean {
  return ['VIDEO_RATE', 'VIDEO_FPS', 'AUDIO_RATE'].some((name) => (metrics[name] ?? 0) > 0);
}
