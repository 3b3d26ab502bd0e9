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
    this.#watch.note(video.currentTime, performance.now());
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
