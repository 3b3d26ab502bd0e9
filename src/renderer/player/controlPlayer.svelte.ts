import type { EngineClient } from '../../contract/calls';
import type { CallInput, EngineCallName } from '../../contract/engine';
import type { Still } from '../../domain/model/run';
import { drawPace } from '../client/drawPace';
import { LevelReader, type AudioLevels } from './figures/audioLevel';
import { FrameClock, type FrameCount } from './figures/frameClock';
import { Clips } from './clips/clips.svelte';
import type { ClipRules } from './clips/clipIntervals';
import { videoSource } from './clips/videoSource';
import { captureStill, StallStills, type StillPicture } from './stills/stallStills';
import { DelayReader, type MeasuredDelays } from './clock/delayReader';
import { withDelay, type ProtocolDelay } from './clock/glassToGlass';
import { delayFigures } from './figures/delayFigures';
import { errorText } from '../../domain/text/errorText';
import {
  addInterval,
  figuresAtRest,
  figuresOf,
  noTotals,
  type PlayerFigures,
  samplesOf,
  type Second,
} from './figures/playerFigures';
import { missingMedia, type MissingMedia } from './figures/missingMedia';
import { lagOf, type PlayerLag } from './figures/playerLag';
import { intervalBetween, type PlayerReading } from './figures/playerStats';
import { QualityLog } from './figures/qualityLog';
import { stallLength, type QualityHistory } from './figures/qualityStrip';
import { PictureWatch } from './picture/pictureWatch.svelte';
import { intervalText, RegularStills } from './stills/regularStills';
import type { PlayerProtocol } from '../../domain/model/playerProtocols';
import { recordsClips, type PlayerSaving } from '../../domain/model/playerSaving';
import { AddressedPlayback, type PlayerAddress } from './protocols/addressedPlayback';
import type { Choices, PlayState, PlayTarget } from './protocols/playSession';
import { RetryingSession } from './protocols/retryingSession';

const secondMs = 1000;
const tickMs = 100;
/** A tick this late means the thread was busy, not that the video stalled. */
const lateTickMs = 300;
/** In economy mode the level is drawn once in so many ticks, and the clock is read of one in so many frames. */
const economyTicks = 10;
const economyFrames = 5;
/** Until this long after the first media, the other kind may be yet to arrive. */
const missingAfterMs = 3000;

export interface ControlPlayerOptions {
  readonly engine: EngineClient<EngineCallName>;
  /** A still was saved in the run, manually or by a stall. */
  readonly onStill?: (still: Still) => void;
  /** Whether its figures are recorded with the active run: those of one player are. */
  readonly isRecorded: boolean;
  /** Length of clips; default: 10 s before and after a stall. */
  readonly clipRules?: ClipRules | undefined;
}

/** The control player: a real viewer in addition to the audience, measured once a second while it plays. */
export class ControlPlayer {
  state = $state.raw<PlayState>({ kind: 'idle' });
  /** How the stream is played; unknown until the engine responds. */
  address = $state.raw<PlayerAddress>();
  /** Tracks and layers to choose from; undefined where there is no choice. */
  choices = $state.raw<Choices>();
  figures = $state.raw<PlayerFigures | undefined>(undefined);
  history = $state.raw<QualityHistory>({ startMs: Date.now(), seconds: [], stalls: [] });
  levels = $state.raw<AudioLevels | undefined>(undefined);
  measured = $state.raw<MeasuredDelays>({});
  /** How far the picture on display is behind its source. */
  lag = $state.raw<PlayerLag | undefined>(undefined);
  /** The latest delay of the stream over each protocol that was played. */
  delays = $state.raw<readonly ProtocolDelay[]>([]);
  /** Video or audio that the stream does not have. */
  missing = $state.raw<MissingMedia | undefined>(undefined);
  readonly picture: PictureWatch;
  readonly clips: Clips;
  /** What is saved in runs without a request. */
  saving: PlayerSaving = {};
  /** The run takes no more stills soon: clips are not extended. */
  isRunEnding = false;
  /** The last failure other than playback. */
  problem = $state<string | undefined>(undefined);

  readonly #options: ControlPlayerOptions;
  #video: HTMLVideoElement | undefined;
  #media: MediaStream | undefined;
  #target: PlayTarget | undefined;
  /** The last stream, to recognise one that returns. */
  #counted: PlayTarget | undefined;
  #protocol: PlayerProtocol | undefined;
  #session: RetryingSession | undefined;
  #run: { readonly id: string; readonly startedMs: number } | undefined;
  #frames = new FrameClock();
  #stalledMs = 0;
  #longestStallMs = 0;
  #reconnects = 0;
  #totals = noTotals;
  #log = new QualityLog(Date.now());
  #reading: PlayerReading | undefined;
  #level: LevelReader | undefined;
  readonly #delayReader = new DelayReader(async () => {
    const target = this.#target;
    return target && this.#options.engine.call('player.mediaClock', target);
  });
  readonly #stallStills = new StallStills();
  readonly #regularStills = new RegularStills();
  #timers: ReturnType<typeof setInterval>[] = [];
  #playingSinceMs: number | undefined;
  #lastTickMs = 0;
  #ticks = 0;
  #loudest: AudioLevels | undefined;
  #framesSeen = 0;
  #lateUntilMs = 0;

  constructor(options: ControlPlayerOptions) {
    this.#options = options;
    this.picture = new PictureWatch(options.engine);
    this.clips = new Clips({
      save: async (clip) => options.onStill?.(await options.engine.call('runs.saveStill', clip)),
      onProblem: (sentence) => (this.problem = sentence),
      rules: options.clipRules,
    });
  }

  /** Attaches the video element. Returns the cleanup function. */
  attach(video: HTMLVideoElement): () => void {
    this.#video = video;
    if (this.#media) video.srcObject = this.#media;
    const leave = (): void => this.dispose();
    // Hidden pages present no frames: a gap across such a time is not a stall.
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

  /**
   * Plays a stream of a node over `protocol` or the preferred one, or nothing. Playing the current stream again has no
   * effect.
   */
  watch(target: PlayTarget | undefined, protocol?: PlayerProtocol): void {
    if (isSame(target, this.#target) && protocol === this.#protocol) return;
    this.#endSession();
    if (!isSame(target, this.#target)) this.delays = [];
    this.#target = target;
    this.#protocol = protocol;
    if (!target) return;
    // A stream that returns within a run continues in the same strip and totals.
    if (!this.#run || !isSame(target, this.#counted)) this.#startAnew(this.#run?.startedMs ?? Date.now());
    this.#counted = target;
    const { engine } = this.#options;
    this.#session = new RetryingSession(
      (listener) =>
        this.#video &&
        new AddressedPlayback(engine, { ...target, protocol }, this.#video, listener, (address) => {
          this.address = address;
        }),
      {
        state: (state) => this.#onState(state),
        media: (media) => this.#onMedia(media),
        sound: (sound) => this.#listen(sound),
        choices: (choices) => (this.choices = choices),
      },
    );
    this.#timers = [
      setInterval(() => void this.#second(), secondMs),
      setInterval(() => this.#tick(performance.now()), tickMs),
    ];
    this.#session.start();
  }

  /** Selects a track or layer of `choices`. */
  choose(id: string): void {
    this.#session?.choose(id);
  }

  /** Plays later by so many ms; returns whether its protocol can. */
  delayBy(changeMs: number): boolean {
    return this.#session?.delayBy(changeMs) ?? false;
  }

  /** Shows the video in a small window above all others, or ends that. A refusal is reported in `problem`. */
  async togglePictureInPicture(): Promise<void> {
    try {
      if (this.#video && document.pictureInPictureElement === this.#video) await document.exitPictureInPicture();
      else await this.#video?.requestPictureInPicture();
    } catch (error) {
      this.problem = `Picture in picture is not possible: ${errorText(error)}`;
    }
  }

  /** Counts from the start of a run; without one, from the start of the player. */
  belongTo(run: string | undefined, startedMs: number | undefined): void {
    if (run === this.#run?.id) return;
    this.clips.end();
    this.#run = run === undefined ? undefined : { id: run, startedMs: startedMs ?? Date.now() };
    if (this.#run) this.#startAnew(this.#run.startedMs);
  }

  /** Saves the current frame in the run. A failure is reported in `problem`. */
  async saveStill(cause = 'saved'): Promise<void> {
    if (this.#video) await this.#save(captureStill(this.#video), cause);
  }

  /** Saves the last seconds of video in the run. A failure is reported in `problem`. */
  async saveClip(): Promise<void> {
    if (this.clips.isRecording) await this.clips.saveLast();
  }

  /** Leaves the stream and stops measuring. */
  dispose(): void {
    this.watch(undefined);
  }

  #startAnew(startMs: number): void {
    this.#frames = new FrameClock();
    this.#stalledMs = 0;
    this.#longestStallMs = 0;
    this.#reconnects = 0;
    this.#totals = noTotals;
    this.#delayReader.forget();
    this.#log = new QualityLog(startMs);
    this.figures = undefined;
    this.measured = {};
    this.history = this.#log.history();
  }

  #endSession(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    void this.#session?.end();
    this.#session = undefined;
    this.address = undefined;
    this.choices = undefined;
    this.#forgetMedia();
    if (this.#video) this.#video.srcObject = null;
    this.#media = undefined;
  }

  #forgetMedia(): void {
    this.clips.end();
    void this.#level?.close();
    this.#level = undefined;
    this.levels = undefined;
    this.measured = {};
    this.lag = undefined;
    this.missing = undefined;
    this.#playingSinceMs = undefined;
    this.figures = figuresAtRest(this.figures);
    this.#reading = undefined;
    this.#stallStills.forget();
    this.#frames.forget();
    this.#delayReader.close();
    this.picture.forget();
  }

  #onState(state: PlayState): void {
    // Only an interruption of playback counts, and not each vain attempt.
    if (state.kind === 'waiting' && this.state.kind === 'playing') this.#reconnects += 1;
    this.state = state;
    if (state.kind !== 'waiting') return;
    this.#forgetMedia();
  }

  #onMedia(media: MediaStream): void {
    this.clips.end();
    this.#media = media;
    if (this.#video) this.#video.srcObject = media;
    this.#listen(media);
  }

  #listen(media: MediaStream): void {
    void this.#level?.close();
    this.#level = media.getAudioTracks().length > 0 ? new LevelReader(media) : undefined;
    this.#delayReader.listen(media);
  }

  #watchFrames(video: HTMLVideoElement): void {
    const onFrame = (_: number, frame: VideoFrameCallbackMetadata): void => {
      if (this.#video !== video) return;
      this.#frames.frame(frame.presentationTime, frame.presentedFrames);
      this.#framesSeen += 1;
      if (!drawPace.isEconomical || this.#framesSeen % economyFrames === 0) this.#delayReader.onFrame(video, frame);
      this.picture.onFrame(video);
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  }

  /** Ten times a second: the level, and the picture of a stall while it lasts. */
  #tick(nowMs: number): void {
    if (nowMs - this.#lastTickMs > lateTickMs) this.#lateUntilMs = nowMs + tickMs;
    this.#lastTickMs = nowMs;
    this.#readLevels();
    const video = this.#video;
    if (nowMs < this.#lateUntilMs || this.state.kind !== 'playing' || !video || !this.#run) return;
    const open = this.#frames.open(nowMs);
    if (open) this.#stallStills.watch(open, nowMs, () => captureStill(video));
  }

  /** Drawn less often, a level is the loudest since the last time: silence stays silence. */
  #readLevels(): void {
    const now = this.#level?.read();
    const before = this.#loudest;
    this.#loudest = now?.map((level, channel) => Math.max(level, before?.[channel] ?? 0));
    this.#ticks += 1;
    if ((drawPace.isHidden || drawPace.isEconomical) && this.#ticks % economyTicks !== 0) return;
    this.levels = this.#loudest;
    this.#loudest = undefined;
  }

  async #second(): Promise<void> {
    const session = this.#session;
    const target = this.#target;
    const [reading, picture] = await Promise.all([session?.read(), this.picture.read()]);
    if (!session || !target || session !== this.#session) return;
    const nowMs = performance.now();
    const seen = this.#frames.look(nowMs, nowMs >= this.#lateUntilMs);
    if (!reading || this.state.kind !== 'playing') {
      this.#log.add(Date.now(), nowMs, undefined);
      this.history = this.#log.history();
      return;
    }
    this.#playingSinceMs ??= nowMs;
    if (nowMs - this.#playingSinceMs >= missingAfterMs) this.missing = missingMedia(reading, this.address?.protocol);
    this.#saveInRun(nowMs, seen);
    const interval = intervalBetween(this.#reading, reading);
    this.#reading = reading;
    this.#totals = addInterval(this.#totals, interval);
    this.#stalledMs += seen.stalledMs;
    for (const { lengthMs } of seen.ended) this.#longestStallMs = Math.max(this.#longestStallMs, lengthMs);
    const { stalls } = this.#frames;
    const delays = this.#delayReader.second(nowMs);
    const delaysMs = this.#delayReader.takePicture();
    const patternDelayMs = this.measured.loopMs === undefined ? delays.delayMs : undefined;
    this.lag = lagOf(patternDelayMs, reading.senderTimeMs, performance.timeOrigin + nowMs);
    await this.#record(
      target.node,
      {
        ...{ seen, reading, interval, stalls },
        ...{ picture, delays, delaysMs },
        ...delayFigures(delaysMs, this.#delayReader.isForeign ? undefined : reading.rttMs),
        totals: this.#totals,
        stalledMs: this.#stalledMs,
        longestStallMs: this.#longestStallMs,
        reconnects: this.#reconnects,
      },
      nowMs,
    );
  }

  /** Once a second while it plays: video for clips, and regular stills. */
  #saveInRun(nowMs: number, seen: FrameCount): void {
    const run = this.#run?.id;
    const protocol = this.address?.protocol;
    if (!this.#options.isRecorded || run === undefined || !protocol) return;
    const { stillsEverySeconds } = this.saving;
    if (this.#regularStills.isDue(nowMs, stillsEverySeconds) && stillsEverySeconds !== undefined)
      void this.saveStill(`every ${intervalText(stillsEverySeconds)}`);
    if (!recordsClips(this.saving, protocol)) return this.clips.end();
    const source = this.clips.isIdle ? videoSource(protocol, this.#video, this.#media) : undefined;
    if (source) this.clips.start(run, source);
    this.clips.second(nowMs, seen, this.isRunEnding);
  }

  async #record(node: string, second: Second, nowMs: number): Promise<void> {
    this.figures = figuresOf(second);
    this.measured = this.#delayReader.lastMinute(nowMs);
    if (this.measured.picture && this.address)
      this.delays = withDelay(this.delays, { ...this.measured.picture, protocol: this.address.protocol });
    this.#log.add(Date.now(), nowMs, this.figures.frameRate, second.seen);
    this.history = this.#log.history();
    for (const stall of second.seen.ended) {
      const picture = this.#stallStills.release(stall);
      if (picture) void this.#save(picture, `stall ${stallLength(stall.lengthMs)}`);
    }
    if (this.#options.isRecorded) await this.#report(node, second);
  }

  async #report(node: string, second: Second): Promise<void> {
    const { engine } = this.#options;
    const [first, ...others] = second.seen.ended.map((stall) => Math.round(stall.lengthMs));
    const faults = [...(second.picture?.faults ?? [])];
    try {
      const values = samplesOf(second);
      await engine.call('player.figures', { node, values, stallMs: first, faults, ...this.#displayed(second) });
      // A call contains one stall; a second with several needs several calls.
      for (const stallMs of others) await engine.call('player.figures', { node, values: {}, stallMs });
    } catch (error) {
      this.problem = `Player metrics were not recorded: ${errorText(error)}`;
    }
  }

  /** The delays of the frames that were read, of what is played. */
  #displayed({ delaysMs }: Second): Pick<CallInput<'player.figures'>, 'displayed'> {
    const [stream, protocol] = [this.#target?.stream, this.address?.protocol];
    if (delaysMs.length === 0 || stream === undefined || protocol === undefined) return {};
    return { displayed: { stream, protocol, delaysMs: [...delaysMs] } };
  }

  async #save(taking: Promise<StillPicture | undefined>, cause: string): Promise<void> {
    const run = this.#run?.id;
    if (run === undefined) return;
    try {
      const picture = await taking;
      if (!picture) return;
      this.#options.onStill?.(await this.#options.engine.call('runs.saveStill', { run, cause, ...picture }));
      this.problem = undefined;
    } catch (error) {
      this.problem = `The still was not saved: ${errorText(error)}`;
    }
  }
}

function isSame(a: PlayTarget | undefined, b: PlayTarget | undefined): boolean {
  return a?.node === b?.node && a?.stream === b?.stream;
}
