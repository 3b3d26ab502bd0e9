import type { DecoderOrder, DecoderResult } from '../../../contract/delayCalls';
import type { DelayFigures } from '../../../domain/delay/figures';
import { percentile } from '../../../domain/series/percentile';
import { drawPace } from '../../client/drawPace';
import { DelayReader } from '../clock/delayReader';
import type { DelaySummary } from '../clock/delaySamples';
import { GlassReader } from '../clock/glassToGlass';
import { AddressedPlayback } from '../protocols/addressedPlayback';
import type { PlayState } from '../protocols/playSession';
import { RetryingSession } from '../protocols/retryingSession';
import { publishFrom } from '../publish/publishSources';
import type { PublishEngine, PublishSession } from '../publish/publishSession';
import type { PublisherFigures } from '../publish/publisherStats';
import { startSession } from '../publish/startSession';

/** Until the first picture: an HLS playlist needs several segments. */
const firstPictureMs = 45_000;
/** After it, while jitter buffers and encoders settle: not measured. */
const settleMs = 3000;
/** A hidden window displays frames late or not at all: a measurement waits this long for it. */
const shownWithinMs = 30_000;
const hidden = 'The window was hidden or minimised, so that it displayed no frames: keep it visible while it measures.';
/** A picture without a readable clock for so long at the end of a measurement is frozen. */
const frozenMs = 2500;
/** Fewer of the frames than that are remarked. */
const leastShare = 0.8;
const unread = 'The clock of the test pattern could not be read: the picture is frozen or too damaged.';
const tickMs = 200;
const secondMs = 1000;

type PlayOrder = Extract<DecoderOrder, { readonly kind: 'play' }>;

/** How far an order is; resolves with whether it is still wanted. */
export type OnProgress = (step: string, share: number) => Promise<boolean>;

class Unwanted extends Error {}

/** Publishes a test pattern, plays it, and reads its clock: the orders of a delay test, in this page. */
export class PathMeter {
  #published: PublishSession | undefined;
  /** Why the publication ended by itself. */
  #publishEnded: string | undefined;
  /** Of its last second. */
  #sent: PublisherFigures | undefined;
  /** Since the start of a measurement. */
  #isHidden = false;

  /** `place`: where the pictures are played, in its size: in view, since a browser displays nothing else. */
  constructor(
    private readonly engine: PublishEngine,
    private readonly place: HTMLElement,
  ) {}

  /** Rejects with a sentence; what was cut short because it is no longer wanted has no delay. */
  async do(order: DecoderOrder, onProgress: OnProgress): Promise<DecoderResult> {
    try {
      if (order.kind === 'unpublish') return await this.end();
      if (order.kind === 'publish') return await this.#publish(order, onProgress);
      return await this.#shown(onProgress, () =>
        order.kind === 'display' ? this.#display(order, onProgress) : this.#play(order, onProgress),
      );
    } catch (error) {
      if (error instanceof Unwanted) return {};
      throw error;
    }
  }

  /** Measures while the window is visible; rejects with a sentence when it was not. */
  async #shown(onProgress: OnProgress, measure: () => Promise<DecoderResult>): Promise<DecoderResult> {
    const endMs = performance.now() + shownWithinMs;
    while (drawPace.isHidden && performance.now() < endMs)
      await this.#wait(onProgress, 'waiting until the window is visible', tickMs);
    this.#isHidden = drawPace.isHidden;
    const unsubscribe = drawPace.onVisibility(() => (this.#isHidden ||= drawPace.isHidden));
    try {
      const result = await measure();
      this.#requireShown();
      return result;
    } finally {
      unsubscribe();
      this.#isHidden = false;
    }
  }

  #requireShown(): void {
    if (this.#isHidden) throw new Error(hidden);
  }

  /** Whether what was published has ended by itself. */
  get hasEnded(): boolean {
    return this.#publishEnded !== undefined;
  }

  #requirePublished(): void {
    if (this.#publishEnded !== undefined) throw new Error(this.#publishEnded);
  }

  /** Ends what is published. */
  async end(): Promise<DecoderResult> {
    const session = this.#published;
    this.#published = undefined;
    await session?.end();
    return {};
  }

  async #publish(
    { node, stream, protocol, media }: Extract<DecoderOrder, { readonly kind: 'publish' }>,
    onProgress: OnProgress,
  ): Promise<DecoderResult> {
    await this.end();
    await onProgress('publishing', 0);
    this.#publishEnded = undefined;
    this.#sent = undefined;
    const source = await publishFrom({ kind: 'pattern', streamName: stream, media });
    const own: { session?: PublishSession } = {};
    const started = await startSession(
      {
        ...{ engine: this.engine, target: { node, stream }, source, media },
        listener: {
          figures: (figures) => (this.#sent = figures),
          ended: (sentence) => {
            this.#publishEnded = sentence;
            if (own.session !== undefined && this.#published === own.session) this.#published = undefined;
          },
        },
      },
      protocol,
    );
    own.session = started;
    // It may have ended meanwhile.
    if (this.#publishEnded !== undefined) throw new Error(this.#publishEnded);
    this.#published = started;
    const { remark } = started;
    if (media.layers > 1 && remark !== undefined) {
      await this.end();
      throw new Error(remark);
    }
    return remark === undefined ? {} : { remark };
  }

  /** Without encoder and server: what display and clock reading need. */
  async #display(
    { media, measureMs }: Extract<DecoderOrder, { readonly kind: 'display' }>,
    onProgress: OnProgress,
  ): Promise<DecoderResult> {
    const source = await publishFrom({ kind: 'pattern', streamName: 'window', media });
    const reader = new GlassReader();
    const { video, end } = this.#video((each, frame) => reader.onFrame(each, frame));
    try {
      video.srcObject = source.stream;
      await this.#wait(onProgress, 'settling', settleMs);
      const startMs = performance.now();
      await this.#wait(onProgress, 'measuring', measureMs);
      const nowMs = performance.now();
      const summary = reader.samples.summary(nowMs, nowMs - startMs);
      if (!summary) throw new Error(unread);
      return { delay: figuresOf(summary, [], []) };
    } finally {
      end();
      reader.close();
      source.stop();
    }
  }

  async #play(order: PlayOrder, onProgress: OnProgress): Promise<DecoderResult> {
    const { node, stream, protocol, measureMs, hasShortBuffer } = order;
    // A test pattern of this page: no media file's clock is needed.
    const reader = new DelayReader(() => Promise.resolve(undefined));
    const { video, end } = this.#video((each, frame) => reader.onFrame(each, frame));
    let state = { kind: 'idle' } as PlayState;
    const session = new RetryingSession(
      (listener) => {
        const onPlaying = (): void => {
          if (hasShortBuffer) playback.shortenBuffer?.();
          listener.playing();
        };
        const heard = { ...listener, playing: onPlaying };
        const playback = new AddressedPlayback(this.engine, { node, stream, protocol }, video, heard, () => undefined);
        return playback;
      },
      {
        state: (next) => (state = next),
        media: (media) => {
          video.srcObject = media;
          reader.listen(media);
        },
        sound: (sound) => reader.listen(sound),
        choices: () => undefined,
      },
    );
    session.start();
    try {
      let lastProblem = `No picture of ${stream} within ${firstPictureMs / 1000} s.`;
      const endMs = performance.now() + firstPictureMs;
      while (reader.pictureSince(performance.now() - 2 * settleMs, performance.now()) === undefined) {
        if (state.kind === 'waiting') lastProblem = state.sentence;
        this.#requirePublished();
        if (performance.now() > endMs) throw new Error(`${lastProblem}${sentText(this.#sent)}`);
        await this.#wait(onProgress, 'waiting for the picture', tickMs);
        // Playbacks notice stalls when they are read.
        await session.read();
      }
      await this.#wait(onProgress, 'settling', settleMs);
      const startMs = performance.now();
      const [rttsMs, offsetsMs]: [number[], number[]] = [[], []];
      let remark: string | undefined;
      while (performance.now() - startMs < measureMs) {
        await this.#wait(
          onProgress,
          'measuring',
          Math.min(secondMs, measureMs - (performance.now() - startMs)),
          (performance.now() - startMs) / measureMs,
        );
        const reading = await session.read();
        if (reading?.rttMs !== undefined) rttsMs.push(reading.rttMs);
        if (reading?.buffer?.hasParts) remark = 'LL-HLS';
        const { avOffset } = reader.second(performance.now());
        if (avOffset) offsetsMs.push(avOffset.ms);
        this.#requirePublished();
      }
      const nowMs = performance.now();
      const summary = reader.pictureSince(startMs, nowMs);
      if (!summary || !reader.pictureSince(nowMs - frozenMs, nowMs))
        throw new Error(`${unread}${sentText(this.#sent)}`);
      const remarks = [remark, rateRemark((1000 * summary.count) / (nowMs - startMs), this.#sent?.fps)];
      const remarked = remarks.filter((each) => each !== undefined).join(', ');
      return { delay: figuresOf(summary, rttsMs, offsetsMs), ...(remarked === '' ? {} : { remark: remarked }) };
    } finally {
      await session.end();
      end();
      reader.close();
    }
  }

  #video(onFrame: (video: HTMLVideoElement, frame: VideoFrameCallbackMetadata) => void): {
    readonly video: HTMLVideoElement;
    readonly end: () => void;
  } {
    const video = document.createElement('video');
    Object.assign(video, { autoplay: true, playsInline: true, muted: true });
    video.style.cssText = 'display: block; width: 100%; height: 100%; object-fit: contain';
    this.place.replaceChildren(video);
    let isOver = false;
    const watch = (_: number, frame: VideoFrameCallbackMetadata): void => {
      if (isOver) return;
      onFrame(video, frame);
      video.requestVideoFrameCallback(watch);
    };
    video.requestVideoFrameCallback(watch);
    return {
      video,
      end: () => {
        isOver = true;
        video.srcObject = null;
        video.remove();
      },
    };
  }

  async #wait(onProgress: OnProgress, step: string, ms: number, share?: number): Promise<void> {
    const startMs = performance.now();
    for (;;) {
      const passedMs = performance.now() - startMs;
      if (!(await onProgress(step, share ?? Math.min(1, passedMs / ms)))) throw new Unwanted();
      this.#requireShown();
      if (passedMs >= ms) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(tickMs, ms - passedMs)));
    }
  }
}

function figuresOf(summary: DelaySummary, rttsMs: readonly number[], offsetsMs: readonly number[]): DelayFigures {
  const [rttMs, avOffsetMs] = [medianOf(rttsMs), medianOf(offsetsMs)];
  return {
    ...summary,
    ...(rttMs === undefined ? {} : { rttMs }),
    ...(avOffsetMs === undefined ? {} : { avOffsetMs }),
  };
}

/** What the publisher sent while nothing could be read, as a sentence to append. */
function sentText(sent: PublisherFigures | undefined): string {
  if (sent?.fps === undefined || sent.bitrateKbps === undefined) return '';
  const limited = (sent.limitedPercent ?? 0) > 0 ? ', limited by its bandwidth or CPU' : '';
  return ` The publisher sent ${Math.round(sent.fps)} fps at ${Math.round(sent.bitrateKbps)} kbit/s${limited}.`;
}

/** A picture that stalls has few frames, whose delay alone looks fine. */
const rateRemark = (readFps: number, sentFps: number | undefined): string | undefined =>
  sentFps !== undefined && readFps < leastShare * sentFps
    ? `${Math.round(readFps)} of ${Math.round(sentFps)} fps read`
    : undefined;

const medianOf = (values: readonly number[]): number | undefined =>
  percentile(
    [...values].sort((a, b) => a - b),
    50,
  );
