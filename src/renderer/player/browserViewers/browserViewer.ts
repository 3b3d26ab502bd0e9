import type { BrowserViewerSecond } from '../../../contract/browserViewerCalls';
import { watchMs, type BrowserTarget } from '../../../domain/browserViewers/browserViewers';
import { degradedCause, degradedRule } from '../../../domain/viewer/degraded';
import { DelayReader } from '../clock/delayReader';
import { delayFigures } from '../figures/delayFigures';
import { FrameClock, type Stall } from '../figures/frameClock';
import { intervalBetween, type PlayerInterval, type PlayerReading } from '../figures/playerStats';
import { AddressedPlayback } from '../protocols/addressedPlayback';
import type { PlayEngine } from '../protocols/playSession';
import type { DelayPlace } from './delayReaders';

interface Received {
  readonly timeMs: number;
  readonly packets: number;
  readonly lost: number;
}

/** One browser viewer: plays a stream in a video element of its own until it is ended; a failed one stays failed. */
export class BrowserViewer {
  readonly startedMs = performance.now();
  readonly #video = document.createElement('video');
  readonly #frames = new FrameClock();
  readonly #playback: AddressedPlayback;
  #state: BrowserViewerSecond['state'] = 'connecting';
  #problem: string | undefined;
  #firstFrameAtMs: number | undefined;
  #stalls: Stall[] = [];
  #received: Received[] = [];
  #reading: PlayerReading | undefined;
  readonly #delays: DelayReader;

  /** `place`: where its video element is, which has to be part of a visible page. */
  constructor(
    engine: PlayEngine,
    readonly number: number,
    readonly target: BrowserTarget,
    /** The stream's own frame rate; 0 if unknown. */
    private readonly nominalFrameRate: number,
    place: HTMLElement,
    /** Absent: the clock in its picture is not read. */
    private readonly delayPlace?: DelayPlace,
  ) {
    const { node, stream } = target;
    this.#delays = new DelayReader(() => engine.call('player.mediaClock', { node, stream }));
    Object.assign(this.#video, { autoplay: true, playsInline: true, muted: true });
    place.append(this.#video);
    this.#watchFrames();
    this.#playback = new AddressedPlayback(
      engine,
      target,
      this.#video,
      {
        media: (stream) => (this.#video.srcObject = stream),
        sound: () => undefined,
        choices: () => undefined,
        playing: () => undefined,
        failed: (sentence) => {
          this.#state = 'failed';
          this.#problem ??= sentence;
        },
      },
      () => undefined,
    );
  }

  /** Whether the next one is to take its place; the first ones leave early, so that not all change at once. */
  isOver(nowMs: number, watchesForMs = watchMs): boolean {
    return nowMs - this.startedMs >= watchesForMs;
  }

  /** What it displayed since the last call; to be called once a second. `isLate`: this thread was busy, so frames may be pending. */
  async second(nowMs: number, isLate: boolean): Promise<BrowserViewerSecond> {
    const reading = await this.#playback.read();
    const received = reading && this.#note(reading, nowMs);
    const seen = this.#frames.look(nowMs, !isLate);
    const firstAtMs = this.#firstFrameAtMs;
    this.#stalls = [...this.#stalls, ...seen.ended].filter(
      ({ startMs, lengthMs }) => nowMs - (startMs + lengthMs) < degradedRule.windowMs,
    );
    const gapsMs = [...this.#stalls, ...(seen.open ? [seen.open] : [])].map(({ lengthMs }) => lengthMs);
    const isPlaying = firstAtMs !== undefined && this.#state !== 'failed';
    return {
      number: this.number,
      ...this.target,
      state: this.#state,
      ...(firstAtMs === undefined ? {} : { firstFrameMs: firstAtMs - this.startedMs }),
      ...(seen.fps === undefined ? {} : { frameRate: seen.fps }),
      stalledMs: Math.min(seen.stalledMs, nowMs - this.startedMs),
      stalls: seen.ended.length,
      ...(received ? rendered(received) : {}),
      ...this.#delayed(nowMs, reading?.rttMs),
      ...(isPlaying ? { isDegraded: this.#isDegraded(seen.fps, Math.max(0, ...gapsMs), nowMs - firstAtMs) } : {}),
      ...(this.#problem === undefined ? {} : { problem: this.#problem.slice(0, 1000) }),
    };
  }

  /** The page was hidden: a gap across that time is no stall. */
  forget(): void {
    this.#frames.forget();
  }

  async end(): Promise<void> {
    this.delayPlace?.leave();
    this.#delays.close();
    this.#video.remove();
    this.#video.srcObject = null;
    await this.#playback.end();
  }

  #delayed(nowMs: number, rttMs: number | undefined): Partial<BrowserViewerSecond> {
    const ofRtt = rttMs === undefined ? {} : { rttMs };
    this.#delays.second(nowMs);
    const delaysMs = this.#delays.takePicture();
    if (delaysMs.length === 0) return ofRtt;
    const { jitterMs, pipelineMs } = delayFigures(delaysMs, this.#delays.isForeign ? undefined : rttMs);
    return {
      ...ofRtt,
      delaysMs: [...delaysMs],
      ...(jitterMs === undefined ? {} : { delayJitterMs: jitterMs }),
      ...(pipelineMs === undefined ? {} : { pipelineDelayMs: pipelineMs }),
    };
  }

  #isDegraded(frameRate: number | undefined, longestGapMs: number, connectedForMs: number): boolean {
    const first = this.#received[0];
    const last = this.#received.at(-1);
    const lost = first && last ? Math.max(0, last.lost - first.lost) : 0;
    const all = first && last ? last.packets - first.packets + lost : 0;
    return (
      degradedCause({
        longestGapMs,
        frameRate: frameRate ?? this.nominalFrameRate,
        nominalFrameRate: this.nominalFrameRate,
        lossPercent: all > 0 ? (100 * lost) / all : 0,
        connectedForMs,
      }) !== undefined
    );
  }

  #note(reading: PlayerReading, timeMs: number): PlayerInterval {
    const { packets, packetsLost } = reading;
    const interval = intervalBetween(this.#reading, reading);
    this.#reading = reading;
    if (packets === undefined || packetsLost === undefined) return interval;
    // Counters of a new connection start again.
    if (interval.packets === undefined) this.#received = [];
    this.#received = [
      ...this.#received.filter((each) => timeMs - each.timeMs <= degradedRule.windowMs),
      { timeMs, packets, lost: packetsLost },
    ];
    return interval;
  }

  #watchFrames(): void {
    const onFrame = (_: number, frame: VideoFrameCallbackMetadata): void => {
      if (this.#state === 'connecting') this.#state = 'playing';
      this.#firstFrameAtMs ??= frame.presentationTime;
      this.#frames.frame(frame.presentationTime, frame.presentedFrames);
      if (this.delayPlace?.isDue(frame.presentationTime)) this.#delays.onFrame(this.#video, frame);
      this.#video.requestVideoFrameCallback(onFrame);
    };
    this.#video.requestVideoFrameCallback(onFrame);
  }
}

/** What the decoder and its jitter buffers report of the second. */
function rendered(interval: PlayerInterval): Partial<BrowserViewerSecond> {
  const { freezeCount, freezeDurationMs, pauseCount, jitterBufferMs, concealedPercent } = interval;
  const all = { freezeCount, freezeDurationMs, pauseCount, jitterBufferMs, concealedPercent };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
