import type { PlaybackListener } from './playSession';

export interface MediaWatchOptions {
  readonly stream: string;
  /** Max time from `start` to the first media, ms. */
  readonly firstMs: number;
  /** Time without progress after which a playing stream counts as ended, ms. */
  readonly silenceMs: number;
  /** A better reason than silence, if one is known. */
  readonly reason?: () => string | undefined;
}

/** Reports when media begins to arrive, and when it stops or never begins. */
export class MediaWatch {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #progress = 0;
  #movedAtMs = 0;

  constructor(
    private readonly options: MediaWatchOptions,
    private readonly listener: Pick<PlaybackListener, 'playing' | 'failed'>,
  ) {}

  get hasMedia(): boolean {
    return this.#progress > 0;
  }

  /** Media is expected from now on. */
  start(): void {
    const { stream, firstMs } = this.options;
    this.failAfter(firstMs, `No media of ${stream} within ${firstMs / 1000} s.`);
  }

  /** Notes a figure that grows while media arrives: bytes received, or the position in the stream. */
  note(progress: number, nowMs: number): void {
    const { stream, silenceMs } = this.options;
    if (progress > this.#progress) {
      if (!this.hasMedia) {
        this.stop();
        this.listener.playing();
      }
      this.#progress = progress;
      this.#movedAtMs = nowMs;
    } else if (this.hasMedia && nowMs - this.#movedAtMs > silenceMs) this.#fail(`${stream} stopped sending media.`);
  }

  /** Fails unless `stop` is called or media begins within this time. */
  failAfter(delayMs: number, sentence: string): void {
    this.stop();
    this.#timer = setTimeout(() => this.#fail(sentence), delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #fail(sentence: string): void {
    this.listener.failed(this.options.reason?.() ?? sentence);
  }
}
