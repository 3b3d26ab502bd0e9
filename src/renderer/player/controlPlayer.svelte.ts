import type { EngineClient } from '../../contract/calls';
import type { EngineCallName } from '../../contract/engine';
import { degradedRule } from '../../domain/degraded';
import type { Still } from '../../domain/run';
import { LevelReader, type AudioLevels } from './audioLevel';
import { FrameClock, type Freeze } from './frameClock';
import { GlassReader, type GlassToGlass } from './glassToGlass';
import { sentenceOf } from './peer';
import { figuresAtRest, figuresOf, samplesOf, type PlayerFigures } from './playerFigures';
import { intervalBetween, readReport, type PlayerReading } from './playerStats';
import { addInterval, noTotals } from './playerTotals';
import { freezeLength, type QualityFreeze, type QualityHistory, type QualitySecond } from './qualityStrip';
import { captureStill, type StillPicture } from './stillCapture';
import { WhepSession, type WhepState, type WhepTarget } from './whepSession';

/** Between two pictures that freezes take by themselves: a run that goes badly must not fill its file with them. */
const automaticStillPauseMs = 5000;
const secondMs = 1000;
const beatMs = 100;
/** A beat that comes this late tells that the thread was busy, not that the picture stood still. */
const lateBeatMs = 300;

export interface ControlPlayerOptions {
  readonly engine: EngineClient<EngineCallName>;
  /** A still was kept in the run, by hand or by a freeze. */
  readonly onStill: (still: Still) => void;
}

/** The control player: one real viewer beside the audience, measured once a second for as long as it is watching. */
export class ControlPlayer {
  state = $state.raw<WhepState>({ kind: 'idle' });
  figures = $state.raw<PlayerFigures | undefined>(undefined);
  history = $state.raw<QualityHistory>({ startMs: Date.now(), seconds: [], freezes: [] });
  levels = $state.raw<AudioLevels | undefined>(undefined);
  glass = $state.raw<GlassToGlass | undefined>(undefined);
  /** The last thing that did not work, apart from playing itself. */
  problem = $state<string | undefined>(undefined);

  readonly #options: ControlPlayerOptions;
  #video: HTMLVideoElement | undefined;
  #media: MediaStream | undefined;
  #target: WhepTarget | undefined;
  #session: WhepSession | undefined;
  #run: string | undefined;
  #frames = new FrameClock();
  #frozenMs = 0;
  #totals = noTotals;
  #reading: PlayerReading | undefined;
  #level: LevelReader | undefined;
  #glassReader = new GlassReader();
  #timers: ReturnType<typeof setInterval>[] = [];
  #lastBeatMs = 0;
  #lateUntilMs = 0;
  #frozenPicture:
    { readonly freezeStartMs: number; readonly picture: Promise<StillPicture | undefined> } | undefined;
  #lastAutomaticStillMs = -Infinity;

  constructor(options: ControlPlayerOptions) {
    this.#options = options;
  }

  /** Takes the element that shows the picture. Returns what lets go of it. */
  attach(video: HTMLVideoElement): () => void {
    this.#video = video;
    if (this.#media) video.srcObject = this.#media;
    const leave = (): void => void this.dispose();
    // Hidden pages present no frames: a gap that spans such a time says nothing.
    const forget = (): void => this.#frames.forget();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', forget);
    this.#watchFrames(video);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', forget);
      if (this.#video === video) this.#video = undefined;
    };
  }

  /** Plays a stream of a node, or nothing. Asking for what already plays changes nothing. */
  watch(target: WhepTarget | undefined): void {
    if (target?.node === this.#target?.node && target?.stream === this.#target?.stream) return;
    this.#leave();
    this.#target = target;
    if (!target) return;
    this.#startAnew(Date.now());
    this.#session = new WhepSession(this.#options.engine, target, {
      state: (state) => this.#onState(state),
      media: (media) => this.#onMedia(media),
    });
    this.#timers = [
      setInterval(() => void this.#second(), secondMs),
      setInterval(() => this.#beat(performance.now()), beatMs),
    ];
    this.#session.start();
  }

  /** Counts from the start of a run; without one, from the start of the player. */
  belongTo(run: string | undefined, startedMs: number | undefined): void {
    if (run === this.#run) return;
    this.#run = run;
    if (run !== undefined) this.#startAnew(startedMs ?? Date.now());
  }

  /** Asks for the stream at once where it waits for its next try. */
  retryNow(): void {
    this.#session?.retryNow();
  }

  /** Keeps the picture of this moment in the run. A failure is told in `problem`. */
  async keepStill(cause = 'kept'): Promise<void> {
    if (!this.#video || this.#run === undefined) return;
    await this.#keep(captureStill(this.#video), cause, this.#run);
  }

  /** Leaves the stream and stops measuring. */
  dispose(): void {
    this.watch(undefined);
  }

  #startAnew(startMs: number): void {
    this.#frames = new FrameClock();
    this.#frozenMs = 0;
    this.#totals = noTotals;
    this.#glassReader = new GlassReader();
    this.figures = undefined;
    this.glass = undefined;
    this.history = { startMs, seconds: [], freezes: [] };
  }

  #leave(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    void this.#session?.end();
    this.#session = undefined;
    this.#forgetMedia();
    if (this.#video) this.#video.srcObject = null;
    this.#media = undefined;
    this.figures = undefined;
  }

  #forgetMedia(): void {
    void this.#level?.close();
    this.#level = undefined;
    this.levels = undefined;
    this.glass = undefined;
    this.#reading = undefined;
    this.#frozenPicture = undefined;
    this.#frames.forget();
    this.#glassReader = new GlassReader();
  }

  #onState(state: WhepState): void {
    this.state = state;
    if (state.kind !== 'waiting') return;
    this.#forgetMedia();
    this.figures = figuresAtRest(this.figures);
  }

  #onMedia(media: MediaStream): void {
    this.#media = media;
    if (this.#video) this.#video.srcObject = media;
    void this.#level?.close();
    this.#level = media.getAudioTracks().length > 0 ? new LevelReader(media) : undefined;
  }

  #watchFrames(video: HTMLVideoElement): void {
    const onFrame = (_: number, frame: VideoFrameCallbackMetadata): void => {
      if (this.#video !== video) return;
      this.#frames.frame(frame.presentationTime, frame.presentedFrames);
      this.#glassReader.onFrame(video, frame);
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  }

  /** Ten times a second: the level, and the picture of a freeze while it still stands. */
  #beat(nowMs: number): void {
    if (nowMs - this.#lastBeatMs > lateBeatMs) this.#lateUntilMs = nowMs + beatMs;
    this.#lastBeatMs = nowMs;
    this.levels = this.#level?.read();
    if (nowMs < this.#lateUntilMs || this.state.kind !== 'playing') return;
    const open = this.#frames.open(nowMs);
    if (!open || !this.#video || this.#run === undefined) return;
    if (this.#frozenPicture?.freezeStartMs === open.startMs) return;
    if (nowMs - this.#lastAutomaticStillMs < automaticStillPauseMs) return;
    this.#lastAutomaticStillMs = nowMs;
    this.#frozenPicture = { freezeStartMs: open.startMs, picture: captureStill(this.#video) };
  }

  async #second(): Promise<void> {
    const session = this.#session;
    const target = this.#target;
    const report = await session?.report();
    if (!session || !target || session !== this.#session) return;
    const nowMs = performance.now();
    const seen = this.#frames.look(nowMs, nowMs >= this.#lateUntilMs);
    if (!report) {
      this.#remember(nowMs, undefined, [], undefined);
      return;
    }
    const reading = readReport(report.values());
    const interval = intervalBetween(this.#reading, reading);
    this.#reading = reading;
    session.noteBytes(reading.bytes ?? 0, Date.now());
    if (this.state.kind !== 'playing') return;
    this.#totals = addInterval(this.#totals, interval);
    this.#frozenMs += seen.frozenMs;
    const freezes = this.#frames.freezes;
    const second = { seen, reading, interval, totals: this.#totals, freezes, frozenMs: this.#frozenMs };
    this.figures = figuresOf(second);
    this.glass = this.#glassReader.result(nowMs);
    this.#remember(nowMs, this.figures.frameRate, seen.ended, seen.open);
    for (const freeze of seen.ended) this.#keepFrozenPicture(freeze);
    await this.#report(target.node, samplesOf(second), seen.ended);
  }

  /** Adds the second to the strip. Freezes come on the clock of `performance.now()` and are kept by the wall clock. */
  #remember(
    nowMs: number,
    fps: number | undefined,
    ended: readonly Freeze[],
    open: Freeze | undefined,
  ): void {
    const wallMs = (timeMs: number): number => Date.now() - (performance.now() - timeMs);
    const toWall = (freeze: Freeze, isOpen: boolean): QualityFreeze => ({
      startMs: wallMs(freeze.startMs),
      lengthMs: freeze.lengthMs,
      open: isOpen,
    });
    const seconds = this.history.seconds as QualitySecond[];
    seconds.push({ timeMs: wallMs(nowMs) - secondMs, fps });
    const freezes = this.history.freezes.filter((freeze) => !freeze.open);
    freezes.push(...ended.map((freeze) => toWall(freeze, false)));
    if (open) freezes.push(toWall(open, true));
    this.history = { startMs: this.history.startMs, seconds, freezes };
  }

  async #report(node: string, values: ReturnType<typeof samplesOf>, ended: readonly Freeze[]): Promise<void> {
    const { engine } = this.#options;
    const [first, ...others] = ended.map((freeze) => Math.round(freeze.lengthMs));
    try {
      await engine.call('player.figures', { node, values, freezeMs: first });
      // One call carries one freeze; a second with more of them needs more calls.
      for (const freezeMs of others) await engine.call('player.figures', { node, values: {}, freezeMs });
    } catch (error) {
      this.problem = `The player's figures were not recorded: ${sentenceOf(error)}`;
    }
  }

  #keepFrozenPicture(freeze: Freeze): void {
    const kept = this.#frozenPicture;
    if (
      !kept ||
      this.#run === undefined ||
      Math.abs(kept.freezeStartMs - freeze.startMs) > degradedRule.freezeMs
    )
      return;
    this.#frozenPicture = undefined;
    void this.#keep(kept.picture, `freeze ${freezeLength(freeze.lengthMs)}`, this.#run);
  }

  async #keep(taking: Promise<StillPicture | undefined>, cause: string, run: string): Promise<void> {
    try {
      const picture = await taking;
      if (!picture) return;
      this.#options.onStill(await this.#options.engine.call('runs.keepStill', { run, cause, ...picture }));
      this.problem = undefined;
    } catch (error) {
      this.problem = `The still was not kept: ${sentenceOf(error)}`;
    }
  }
}
