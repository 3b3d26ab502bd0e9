import type { FailureCause } from '../../../domain/failure/causes';
import { degradedCause, degradedRule, type DegradedCause } from '../../../domain/viewer/degraded';
import type { FailureStage } from '../../../domain/model/run';
import type { AudienceViewer } from '../../../contract/viewerSchemas';
import type { WcsMetrics, WcsPull, WcsStream } from '../../servers/wcs/restSchemas';
import { isOver } from '../../servers/wcs/streamViews';

export const pullBounds = {
  /** An accepted pull without media within this time has failed. */
  firstMediaMs: 30_000,
  /** A connected viewer without media for this long has failed, as with an agent. */
  silentMs: 10_000,
  /** A pull whose response was lost may still appear within this time. */
  unsureMs: 5000,
} as const;

/** One pull on the tester, which is one viewer. Evaluated once a second from the tester's lists. */
export class PullViewer {
  state: AudienceViewer['state'] = 'waiting';
  arrivedMs: number | undefined;
  /** When the tester's response to the order was received, success or failure. */
  answeredMs: number | undefined;
  connectedMs: number | undefined;
  /** The tester has something to end for it, or may have. */
  isHeld = false;
  /** When it was terminated. */
  terminatedMs: number | undefined;
  unsureUntilMs = 0;
  failure: AudienceViewer['failure'];
  stalls = 0;
  stalledMs = 0;
  degraded: DegradedCause | undefined;
  mediaSessionId: string | undefined;
  private metrics: WcsMetrics | undefined;
  private missing = 0;
  private lastMediaMs = 0;
  private lastListedMs: number | undefined;
  /** Frame rates of the last few seconds, once there was one. */
  private rates: Array<{ readonly timeMs: number; readonly fps: number }> = [];

  constructor(
    readonly number: number,
    readonly name: string,
  ) {}

  /** The video frames of the last second, when reported. */
  get fps(): number | undefined {
    return this.state === 'connected' ? this.metrics?.VIDEO_FPS : undefined;
  }

  get bitsPerSecond(): number {
    if (this.state !== 'connected') return 0;
    return (this.metrics?.VIDEO_RATE ?? 0) + (this.metrics?.AUDIO_RATE ?? 0);
  }

  fail(stage: FailureStage, cause: FailureCause, detail: string): void {
    this.state = 'failed';
    this.degraded = undefined;
    this.failure = { stage, cause, detail };
  }

  /** The tester accepted the order. */
  accept(nowMs: number): void {
    this.answeredMs = nowMs;
    this.isHeld = true;
  }

  /** The tester refused, or its response was lost. */
  refuse(nowMs: number, isCertain: boolean): void {
    this.answeredMs = nowMs;
    this.isHeld = !isCertain;
    if (!isCertain) this.unsureUntilMs = nowMs + pullBounds.unsureMs;
  }

  /** Takes its entry in the tester's lists; returns true when it has just become connected. */
  see(
    nowMs: number,
    requestedMs: number,
    pull: WcsPull | undefined,
    stream: WcsStream | undefined,
    hasMetrics: boolean,
  ): boolean {
    this.mediaSessionId = stream?.mediaSessionId ?? pull?.localMediaSessionId ?? this.mediaSessionId;
    if (pull || (stream && !isOver(stream.status))) {
      this.missing = 0;
      this.isHeld = true;
    } else if (this.answeredMs !== undefined && this.answeredMs < requestedMs) this.miss(nowMs);
    if (this.state !== 'connecting' && this.state !== 'connected') return false;
    if (this.answeredMs === undefined || !this.isHeld || this.missing > 0) return false;
    if (isOver(pull?.status)) {
      this.failByPull(pull);
      return false;
    }
    return this.takeMedia(nowMs, stream, pull, hasMetrics);
  }

  /** Takes its pull alone: its stream was not asked for. Its figures stay those of the latest list. */
  seePull(pull: WcsPull | undefined): false {
    if (!pull) return false;
    this.missing = 0;
    this.isHeld = true;
    if ((this.state === 'connecting' || this.state === 'connected') && isOver(pull.status)) this.failByPull(pull);
    return false;
  }

  /** Evaluates its quality by the common rule of a degraded viewer; a WCS does not report loss. */
  judge(nowMs: number, nominalFps: number): void {
    this.degraded = undefined;
    if (this.state !== 'connected' || this.connectedMs === undefined || this.rates.length === 0) return;
    const fps = this.rates.map((rate) => rate.fps);
    this.degraded = degradedCause({
      // A second without a frame contains a gap of more than half of one.
      longestGapMs: fps.includes(0) ? 1000 : 0,
      frameRate: fps.reduce((sum, rate) => sum + rate, 0) / fps.length,
      nominalFrameRate: nominalFps,
      lossPercent: 0,
      connectedForMs: nowMs - this.connectedMs,
    });
  }

  row(): AudienceViewer {
    const metrics = this.metrics ?? {};
    const sum = (...names: string[]): number => names.reduce((total, name) => total + (metrics[name] ?? 0), 0);
    return {
      viewer: this.number,
      state: this.state,
      arrivedMs: this.arrivedMs,
      connectMs:
        this.connectedMs === undefined || this.arrivedMs === undefined ? undefined : this.connectedMs - this.arrivedMs,
      packets: 0,
      bytes: 0,
      lost: sum('VIDEO_LOST', 'AUDIO_LOST'),
      lossPercent: 0,
      frames: sum('VIDEO_K_FRAMES', 'VIDEO_P_FRAMES', 'VIDEO_B_FRAMES'),
      fps: this.fps,
      stalls: this.stalls,
      stalledMs: this.stalledMs,
      degraded: this.degraded !== undefined,
      degradedReason: this.degraded,
      failure: this.failure,
    };
  }

  /** No longer listed; a single list may have been made during a change. */
  private miss(nowMs: number): void {
    this.missing += 1;
    if (nowMs < this.unsureUntilMs) return;
    if (this.state === 'disconnecting' || this.state === 'failed') {
      this.isHeld = false;
      if (this.state === 'disconnecting') this.state = 'disconnected';
      return;
    }
    if (this.missing < 2) return;
    this.isHeld = false;
    if (this.state === 'connecting' || this.state === 'connected')
      this.failAs('gone', 'The tester no longer lists it.');
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
          `The tester accepted the order, but no media was received within ${pullBounds.firstMediaMs / 1000} s; it lists the pull as ${pull?.status ?? 'unknown'}.`,
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
    const sinceMs = this.lastListedMs === undefined ? 0 : nowMs - this.lastListedMs;
    this.lastListedMs = nowMs;
    if (fps === undefined || (fps === 0 && this.rates.length === 0)) return;
    if (fps === 0) {
      this.stalledMs += sinceMs;
      if (this.rates[this.rates.length - 1]?.fps !== 0) this.stalls += 1;
    }
    this.rates.push({ timeMs: nowMs, fps });
    this.rates = this.rates.filter(({ timeMs }) => nowMs - timeMs < degradedRule.windowMs);
  }

  private failByPull(pull: WcsPull | undefined): void {
    this.failAs(causeOfStatus(pull?.status), `The tester lists it as ${pull?.status ?? ''}.`);
  }

  private failAs(cause: FailureCause, detail: string): void {
    this.fail(this.state === 'connected' ? 'media' : 'signalling', cause, detail);
  }
}

/** The cause of an ended pull by its status. */
function causeOfStatus(status: string | undefined): FailureCause {
  if (status === 'FAILED') return 'pull-failed';
  if (status === 'STOPPED') return 'pull-stopped';
  return status === 'UNPUBLISHED' ? 'pull-unpublished' : 'pull-over';
}

/** Any sign of media in a stream. */
function hasMedia(metrics: WcsMetrics): boolean {
  return ['VIDEO_RATE', 'VIDEO_FPS', 'AUDIO_RATE'].some((name) => (metrics[name] ?? 0) > 0);
}
