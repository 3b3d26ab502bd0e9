import { clipMime } from '../../../domain/model/run';
import type { FrameCount } from '../figures/frameClock';
import { stallLength, runTime } from '../figures/qualityStrip';
import { errorText } from '../../../domain/text/errorText';
import { ClipIntervals, usualClipRules, type ClipInterval, type ClipRules } from './clipIntervals';
import { VideoRecorder } from './videoRecorder';
import type { VideoSource } from './videoSource';
import { WebmRing, type ClipRange, type WebmClip } from './webmRing';

/** A clip to be saved. */
export interface SavedClip {
  readonly run: string;
  readonly cause: string;
  readonly mime: typeof clipMime;
  readonly data: Uint8Array;
  readonly timeMs: number;
}

export interface ClipsOptions {
  /** Saves it in its run. */
  readonly save: (clip: SavedClip) => Promise<void>;
  readonly onProblem: (sentence: string) => void;
  readonly rules?: ClipRules | undefined;
  /** Other than MediaRecorder. */
  readonly record?: (...given: ConstructorParameters<typeof VideoRecorder>) => ClipRecorder;
}

/** What fills the ring. */
export type ClipRecorder = Pick<VideoRecorder, 'second' | 'flush' | 'end'>;

/** Memory of the ring, and the largest clip that a run accepts. */
const maxRingBytes = 24_000_000;
const maxClipBytes = 16_000_000;
const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'clips-full';

/** Keeps the last seconds of what the player plays, and saves clips of stalls and on request. */
export class Clips {
  /** Video is being recorded, so that a clip can be saved. */
  isRecording = $state(false);
  /** No further clip fits in this run. */
  isFull = $state(false);

  readonly #options: ClipsOptions;
  readonly #rules: ClipRules;
  readonly #intervals: ClipIntervals;
  #run = '';
  #ring: WebmRing | undefined;
  #recorder: ClipRecorder | undefined;
  #release: () => void = () => undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: ClipsOptions) {
    this.#options = options;
    this.#rules = options.rules ?? usualClipRules;
    this.#intervals = new ClipIntervals(this.#rules);
  }

  /** Whether `start` has to be called to record. */
  get isIdle(): boolean {
    return this.#recorder === undefined;
  }

  /** Records this for clips of a run. */
  start(run: string, { media, release }: VideoSource): void {
    // Another run has space for clips.
    if (run !== this.#run) this.isFull = false;
    this.#run = run;
    this.#ring = new WebmRing({ keepMs: this.#rules.beforeMs, maxBytes: maxRingBytes });
    const fail = (sentence: string): void => {
      this.isRecording = false;
      this.#options.onProblem(sentence);
    };
    const { record } = this.#options;
    this.#recorder = record ? record(media, this.#ring, fail) : new VideoRecorder(media, this.#ring, fail);
    this.#release = release;
    this.isRecording = true;
  }

  /** Once a second while it plays. With `isLast` no more is waited for: the run ends soon. */
  second(nowMs: number, { open, ended }: Pick<FrameCount, 'open' | 'ended'>, isLast: boolean): void {
    if (!this.#recorder || !this.#ring) return;
    this.#intervals.watch(open);
    for (const stall of ended) this.#intervals.add(stall);
    const neededFromMs = this.#intervals.neededFromMs;
    this.#ring.keepFrom(neededFromMs);
    this.#recorder.second(nowMs, neededFromMs === undefined);
    for (const interval of this.#intervals.due(nowMs, isLast)) this.#saveStalls(interval);
  }

  /** Saves the last seconds. */
  async saveLast(): Promise<void> {
    const toMs = performance.now();
    const fromMs = toMs - this.#rules.beforeMs;
    await this.#save({ fromMs, toMs }, ({ startMs, endMs }) => ({
      cause: `saved, last ${Math.round((endMs - startMs) / 1000)} s`,
      atMs: toMs,
    }));
  }

  /** Playback or the run has ended: saves the clips that are waiting for more video, with what there is. */
  end(): void {
    for (const interval of this.#intervals.due(performance.now(), true)) this.#saveStalls(interval);
    this.#intervals.forget();
    this.#recorder?.end();
    this.#release();
    this.#recorder = undefined;
    this.#ring = undefined;
    this.#release = () => undefined;
    this.isRecording = false;
  }

  #saveStalls(interval: ClipInterval): void {
    const [first] = interval.stalls;
    void this.#save({ ...interval, aroundMs: first.startMs }, ({ startMs }) => ({
      cause: causeOf(interval, startMs),
      atMs: first.startMs,
    }));
  }

  #save(
    range: ClipRange,
    describe: (clip: WebmClip) => { readonly cause: string; readonly atMs: number },
  ): Promise<void> {
    const { run, ring } = { run: this.#run, ring: this.#ring };
    const saved = Promise.all([this.#recorder?.flush(), this.#saving]).then(async () => {
      if (this.isFull) return;
      try {
        const clip = ring?.clip(range, maxClipBytes);
        if (!clip) return;
        const { cause, atMs } = describe(clip);
        await this.#options.save({
          run,
          cause,
          mime: clipMime,
          data: clip.data,
          timeMs: performance.timeOrigin + atMs,
        });
      } catch (error) {
        this.isFull = isFull(error);
        this.#options.onProblem(this.isFull ? errorText(error) : `The clip was not saved: ${errorText(error)}`);
      }
    });
    this.#saving = saved;
    return saved;
  }
}

/** `stall 0.7 s, at 0:10 of the clip` */
function causeOf({ stalls }: ClipInterval, startMs: number): string {
  const [first] = stalls;
  const at = runTime(Math.round((first.startMs - startMs) / 1000) * 1000);
  const total = stallLength(stalls.reduce((sum, { lengthMs }) => sum + lengthMs, 0));
  return stalls.length === 1
    ? `stall ${total}, at ${at} of the clip`
    : `${stalls.length} stalls of ${total}, first at ${at} of the clip`;
}
