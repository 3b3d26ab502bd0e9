import type { PlayerReading } from '../figures/playerStats';
import { MediaWatch, type MediaWatchOptions } from './mediaWatch';
import type { PlaybackListener } from './playSession';

/** `captureStream` of media elements, which TypeScript's library lacks. */
export interface CapturableElement extends HTMLVideoElement {
  captureStream?(): MediaStream;
}

/** Watches a video element into which a library plays: its begin, stalls, end and sound. */
export class ElementWatch {
  readonly #watch: MediaWatch;
  readonly #leave: (() => void)[] = [];
  #isPlaying = false;
  #delayedS = 0;

  constructor(
    readonly video: HTMLVideoElement,
    options: MediaWatchOptions,
    private readonly listener: PlaybackListener,
  ) {
    this.#watch = new MediaWatch(options, listener);
    this.#on('playing', () => this.#onPlaying());
    this.#on('ended', () => listener.failed(`${options.stream} has ended.`));
    this.#watch.start();
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** Figures of the element. Also detects stalls, which the libraries do not report. */
  read(): PlayerReading {
    const { video } = this;
    // Its position may have been moved back.
    this.#watch.note(video.currentTime + this.#delayedS, performance.now());
    const quality = video.getVideoPlaybackQuality();
    const hasPicture = video.videoWidth > 0;
    return {
      timeMs: performance.now(),
      ...(hasPicture
        ? {
            framesDecoded: quality.totalVideoFrames,
            framesDropped: quality.droppedVideoFrames,
            width: video.videoWidth,
            height: video.videoHeight,
          }
        : {}),
    };
  }

  /** Time by which the playback was delayed. */
  get delayedS(): number {
    return this.#delayedS;
  }

  /** Moves back in the buffered media by so many ms, or forward; as far as there is any. */
  delayBy(changeMs: number): void {
    const { buffered, currentTime } = this.video;
    if (buffered.length === 0) return;
    const lastS = buffered.length - 1;
    const wantedS = currentTime - changeMs / 1000;
    const movedToS = Math.min(Math.max(wantedS, buffered.start(lastS)), buffered.end(lastS));
    this.#delayedS += currentTime - movedToS;
    this.video.currentTime = movedToS;
  }

  end(): void {
    this.#watch.stop();
    for (const leave of this.#leave) leave();
  }

  #on(name: string, listener: () => void): void {
    this.video.addEventListener(name, listener);
    this.#leave.push(() => this.video.removeEventListener(name, listener));
  }

  #onPlaying(): void {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    // A position of 0 is progress too: the first frame is on screen.
    this.#watch.note(Number.MIN_VALUE, performance.now());
    const captured = (this.video as CapturableElement).captureStream?.();
    // Only audio is needed, and a second copy of the video costs CPU.
    for (const track of captured?.getVideoTracks() ?? []) track.stop();
    const audio = captured?.getAudioTracks() ?? [];
    if (audio.length > 0) this.listener.sound(new MediaStream(audio));
    this.#leave.push(() => audio.forEach((track) => track.stop()));
  }
}
