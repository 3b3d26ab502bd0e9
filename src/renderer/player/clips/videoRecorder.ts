import { errorText } from '../../../domain/text/errorText';
import type { RingRecording, WebmRing } from './webmRing';

/** How often the recorder hands over what it has. */
const chunkMs = 1000;
/** Without a keyframe for so long a new recorder is started, which requests one. */
const maxKeyAgeMs = 20_000;
/** A recorder with two tracks writes nothing before both have begun. */
const firstDataMs = 5000;
/** How long to wait for a requested chunk. */
const flushMs = 1000;
/** So many failures without data in between end the recording. */
const maxFailures = 3;

/**
 * Records a stream into a ring. Without a type in its options Chromium's recorder writes the frames of a remote track as
 * they were received, without encoding them again (measured with Chromium 108; with any type it encodes). Other media
 * is encoded as VP8.
 */
export class VideoRecorder {
  #recorder: MediaRecorder | undefined;
  #tracks: readonly MediaStreamTrack[] = [];
  #startedMs = 0;
  #hasData = false;
  #isSilent = false;
  #failures = 0;
  #isEnded = false;
  /** Chunks become bytes asynchronously, and are read in their order. */
  #reading: Promise<void> = Promise.resolve();
  #flushed: (() => void) | undefined;

  constructor(
    private readonly media: MediaStream,
    private readonly ring: WebmRing,
    private readonly failed: (sentence: string) => void,
  ) {}

  /** Once a second: starts it, and starts it anew when tracks have changed, it has ended or a keyframe is needed. */
  second(nowMs: number, mayRestart: boolean): void {
    if (this.#isEnded) return;
    const live = this.media.getTracks().filter(({ readyState }) => readyState === 'live');
    const wanted = live.filter(({ kind }) => kind === 'video' || !this.#isSilent);
    if (!wanted.some(({ kind }) => kind === 'video')) return this.#stop();
    const hasStarted = this.#recorder?.state === 'recording';
    if (hasStarted && !this.#hasData && nowMs - this.#startedMs > firstDataMs) {
      // Its audio may never begin.
      if (wanted.some(({ kind }) => kind === 'audio')) this.#isSilent = true;
      return this.#restart(
        wanted.filter(({ kind }) => kind === 'video'),
        nowMs,
      );
    }
    const isSame = wanted.length === this.#tracks.length && wanted.every((track) => this.#tracks.includes(track));
    if (!hasStarted || !isSame) return this.#restart(wanted, nowMs);
    const keyAgeMs = nowMs - (this.ring.newestKeyMs ?? this.#startedMs);
    if (mayRestart && this.#hasData && Math.min(keyAgeMs, nowMs - this.#startedMs) > maxKeyAgeMs)
      this.#restart(wanted, nowMs);
  }

  /** Resolves when the ring has what was recorded until now. */
  async flush(): Promise<void> {
    const recorder = this.#recorder;
    if (recorder?.state === 'recording')
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, flushMs);
        this.#flushed = () => {
          clearTimeout(timer);
          resolve();
        };
        recorder.requestData();
      });
    await this.#reading;
  }

  /** Ends the recording. What the ring has remains. */
  end(): void {
    this.#isEnded = true;
    this.#stop();
  }

  #stop(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.stop();
    this.#recorder = undefined;
    this.#tracks = [];
  }

  #restart(tracks: readonly MediaStreamTrack[], nowMs: number): void {
    this.#stop();
    this.#tracks = tracks;
    this.#startedMs = nowMs;
    this.#hasData = false;
    try {
      // A stream of its own: one whose tracks change ends its recorder.
      const recorder = new MediaRecorder(new MediaStream([...tracks]));
      const recording = this.ring.begin();
      recorder.addEventListener('dataavailable', ({ data }) => this.#take(recorder, recording, data));
      recorder.addEventListener('error', () => this.#countFailure(recorder, 'its recorder ended with an error.'));
      recorder.start(chunkMs);
      this.#recorder = recorder;
    } catch (error) {
      this.#countFailure(undefined, errorText(error));
    }
  }

  #take(recorder: MediaRecorder, recording: RingRecording, data: Blob): void {
    const nowMs = performance.now();
    this.#reading = this.#reading.then(async () => {
      try {
        const chunk = new Uint8Array(await data.arrayBuffer());
        // The first chunk may contain nothing but its start.
        if (chunk.length > 1 && recorder === this.#recorder) {
          this.#hasData = true;
          this.#failures = 0;
        }
        recording.push(chunk, nowMs);
      } catch (error) {
        this.end();
        this.failed(errorText(error));
      }
    });
    this.#flushed?.();
  }

  /** It is started anew a second later. */
  #countFailure(recorder: MediaRecorder | undefined, reason: string): void {
    if (this.#isEnded || recorder !== this.#recorder) return;
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    this.end();
    this.failed(`Video for clips is not recorded: ${reason}`);
  }
}
