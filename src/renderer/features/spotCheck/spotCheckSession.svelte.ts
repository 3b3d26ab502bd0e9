import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import type { SpotCheck, SpotCheckRating } from '../../../domain/model/spotCheck';
import { measuredRating } from '../../../domain/spotCheck/measuredRating';
import { chosenTarget, type SpotCheckTarget } from '../../../domain/spotCheck/targets';
import { ControlPlayer } from '../../player/controlPlayer.svelte';
import { errorText } from '../../../domain/text/errorText';
import { WatchedFrames } from './watchedFrames';

const tickMs = 100;
/** A tick this late means the thread was busy: frames may be reported that were presented long ago. */
const lateTickMs = 300;
/** Until the first picture: an HLS playlist needs several segments. */
const firstPictureMs = 45_000;

/** A stream that may be played, with its node as the engine knows it. */
export interface PlayableTarget extends SpotCheckTarget {
  /** Frame rate that the origin reports. */
  readonly nominalFps: number | undefined;
}

/** An answered check, with what was played. */
export interface SpotCheckResult {
  readonly spotCheck: SpotCheck;
  readonly node: string;
  readonly protocol: PlayerProtocol | undefined;
}

export type SpotCheckStep =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'watching' }
  | { readonly kind: 'asking' }
  /** `problem`: why it was not recorded. */
  | { readonly kind: 'result'; readonly result: SpotCheckResult; readonly problem?: string }
  | { readonly kind: 'failed'; readonly sentence: string };

export interface SpotCheckOptions {
  readonly engine: EngineClient<EngineCallName>;
  /** The active run, in which checks are recorded. */
  readonly run: string;
  /** What may be played now. */
  readonly targets: () => readonly PlayableTarget[];
  /** How long it is played; twice as long if the person repeats it. */
  readonly playMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Blind spot checks: plays a stream chosen at random, measures it, and compares that with a person's answer. */
export class SpotCheckSession {
  step = $state.raw<SpotCheckStep>({ kind: 'connecting' });
  isHeard = $state(false);
  /** It may be played once more before the answer. */
  canRepeat = $state(true);
  readonly player: ControlPlayer;
  readonly #options: SpotCheckOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #target: PlayableTarget | undefined;
  #frames = new WatchedFrames();
  #startedMs = 0;
  #lastTickMs = 0;

  constructor(options: SpotCheckOptions) {
    this.#options = options;
    this.player = new ControlPlayer({ engine: options.engine, isRecorded: false });
    this.#timer = setInterval(() => this.#tick(performance.now()), tickMs);
  }

  /** Plays the first stream in the element. Returns the cleanup function. */
  attach(video: HTMLVideoElement): () => void {
    const detach = this.player.attach(video);
    let isAttached = true;
    const onFrame = (_: number, frame: VideoFrameCallbackMetadata): void => {
      if (!isAttached) return;
      this.#frames.frame(frame.presentationTime, frame.presentedFrames);
      if (this.step.kind === 'connecting') this.#watch(frame.presentationTime);
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
    const forget = (): void => this.#frames.forget();
    document.addEventListener('visibilitychange', forget);
    this.next();
    return () => {
      isAttached = false;
      document.removeEventListener('visibilitychange', forget);
      detach();
    };
  }

  /** Starts a check of a stream chosen at random. */
  next(): void {
    this.player.watch(undefined);
    this.#target = chosenTarget(this.#options.targets(), this.#options.random);
    if (!this.#target) return this.#fail('The run has no stream with a picture at the moment. Try again later.');
    this.#frames = new WatchedFrames();
    this.#startedMs = performance.now();
    this.canRepeat = true;
    this.step = { kind: 'connecting' };
    const { node, stream, protocol } = this.#target;
    this.player.watch({ node, stream }, protocol);
  }

  /** Plays once more before the answer; both times count. */
  repeat(): void {
    if (this.step.kind !== 'asking' || !this.canRepeat) return;
    this.canRepeat = false;
    this.#watch(performance.now());
  }

  /** The person's answer, recorded in the run. Never rejects. */
  async answer(rating: SpotCheckRating): Promise<void> {
    const target = this.#target;
    if (this.step.kind !== 'asking' || !target) return;
    const { engine, run } = this.#options;
    const { node, stream, nominalFps } = target;
    const figures = this.#frames.figures();
    const { seconds, freezes, frozenMs, fps } = figures;
    const measured = measuredRating({ ...figures, nominalFps });
    const spotCheck: SpotCheck = {
      ...{ stream, rating, measured, freezes },
      seconds: Number(seconds.toFixed(2)),
      frozenMs: Math.round(frozenMs),
      ...(fps === undefined ? {} : { fps: Number(fps.toFixed(2)) }),
    };
    const result: SpotCheckResult = { spotCheck, node, protocol: this.player.address?.protocol };
    this.step = { kind: 'result', result };
    this.player.watch(undefined);
    try {
      await engine.call('player.spotCheck', { run, node, spotCheck });
    } catch (error) {
      if (this.step.kind === 'result' && this.step.result === result)
        this.step = { kind: 'result', result, problem: `The spot check was not recorded: ${errorText(error)}` };
    }
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.player.dispose();
  }

  #watch(nowMs: number): void {
    this.#frames.begin(nowMs);
    this.step = { kind: 'watching' };
  }

  #tick(nowMs: number): void {
    const isLate = nowMs - this.#lastTickMs > lateTickMs;
    this.#lastTickMs = nowMs;
    if (this.step.kind === 'connecting' && nowMs - this.#startedMs > firstPictureMs) this.#failWithoutPicture();
    if (this.step.kind !== 'watching' || isLate) return;
    const { playMs } = this.#options;
    if (this.#frames.watchedMs(nowMs) < (this.canRepeat ? playMs : 2 * playMs)) return;
    this.#frames.end(nowMs);
    this.step = { kind: 'asking' };
  }

  #failWithoutPicture(): void {
    const { state } = this.player;
    const reason = state.kind === 'waiting' ? `: ${state.sentence}` : '.';
    const { stream, node } = this.#target ?? {};
    this.#fail(`No picture of ${stream} on ${node} within ${firstPictureMs / 1000} s${reason}`);
  }

  #fail(sentence: string): void {
    this.player.watch(undefined);
    this.step = { kind: 'failed', sentence };
  }
}
