import type { PlayerReading } from '../figures/playerStats';
import type { OpenPlayback, Playback, PlaybackListener, PlayState } from './playSession';

/** How long to wait for the video element, which is about to be rendered. */
const elementDelayMs = 200;

export interface SessionListener extends Pick<PlaybackListener, 'media' | 'sound' | 'choices'> {
  state(state: PlayState): void;
}

/** Has its own identity: what an earlier attempt still reports is ignored. */
interface Attempt {
  playback?: Playback | undefined;
  isPlaying: boolean;
}

/** One viewer: plays a stream and retries when it ends, until `end` is called. */
export class RetryingSession {
  #attempt: Attempt | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;

  constructor(
    private readonly open: OpenPlayback,
    private readonly listener: SessionListener,
  ) {}

  /** Starts playback. Failures and retries are reported to the listener. */
  start(): void {
    if (!this.#ended) this.#connect();
  }

  /** Current figures; undefined without playback. */
  async read(): Promise<PlayerReading | undefined> {
    const attempt = this.#attempt;
    const reading = await attempt?.playback?.read();
    return attempt === this.#attempt ? reading : undefined;
  }

  choose(id: string): void {
    this.#attempt?.playback?.choose?.(id);
  }

  /** Plays later by so many ms. Returns whether the current playback can; a new connection starts without it. */
  delayBy(changeMs: number): boolean {
    const playback = this.#attempt?.playback;
    playback?.delayBy?.(changeMs);
    return playback?.delayBy !== undefined;
  }

  /** Ends the session on the server too. Safe to call twice. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#retry);
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.listener.state({ kind: 'idle' });
    await attempt?.playback?.end();
  }

  #connect(): void {
    this.listener.state({ kind: 'connecting' });
    const attempt: Attempt = { isPlaying: false };
    this.#attempt = attempt;
    const whileCurrent =
      <A extends unknown[]>(report: (...given: A) => void) =>
      (...given: A): void => {
        if (this.#attempt === attempt) report(...given);
      };
    const { listener } = this;
    attempt.playback = this.open({
      media: whileCurrent((stream) => listener.media(stream)),
      sound: whileCurrent((stream) => listener.sound(stream)),
      choices: whileCurrent((choices) => listener.choices(choices)),
      playing: whileCurrent(() => {
        if (attempt.isPlaying) return;
        attempt.isPlaying = true;
        this.#failures = 0;
        listener.state({ kind: 'playing', sinceMs: Date.now() });
      }),
      failed: whileCurrent((sentence) => this.#fail(sentence)),
    });
    if (!attempt.playback && this.#attempt === attempt) this.#retry = setTimeout(() => this.#connect(), elementDelayMs);
  }

  #fail(sentence: string): void {
    const playback = this.#attempt?.playback;
    this.#attempt = undefined;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures);
    this.#retry = setTimeout(() => this.#connect(), delayMs);
    this.listener.state({ kind: 'waiting', sentence, retryAtMs: Date.now() + delayMs });
    void playback?.end();
  }
}

/**
 * Delay before try number `failures + 1`: short at first, then up to 5 s, so a waiting player generates no load.
 */
export function retryDelayMs(failures: number): number {
  return Math.min(5000, 500 * 2 ** Math.max(0, failures - 1));
}
