import type Hls from 'hls.js';
import { mp4CodecName } from '../figures/codecNames';
import { loaderThrough } from './hlsLoader';
import { sentenceOf } from './peer';
import type { PlayerReading } from '../figures/playerStats';
import { retryDelayMs, type PlayEngine, type PlayListener, type PlaySession, type PlayTarget } from './playSession';

/**
 * Time from the playlist to the first frame: segments are usually 2 to 6 s, and three are buffered.
 */
const firstMediaLimitMs = 20_000;
/** Time without progress after which a playing stream is requested again. */
const silenceLimitMs = 12_000;

const elementDelayMs = 200;

/** `captureStream` of media elements, which TypeScript's library lacks. */
interface CapturableElement extends HTMLVideoElement {
  captureStream?(): MediaStream;
}

interface Attempt {
  readonly video: HTMLVideoElement;
  hls?: Hls;
  bytes: number;
  isPlaying: boolean;
  segmentKbps?: number;
  videoCodec?: string;
  audioCodec?: string;
  /** Last request failure, since hls.js reports less. */
  failure?: string;
  positionS: number;
  movedAtMs: number;
  watch?: ReturnType<typeof setTimeout>;
  readonly leave: (() => void)[];
}

/** One viewer of an HLS stream. Playlists and segments are fetched by the engine; this window opens no connection. */
export class HlsSession implements PlaySession {
  #attempt: Attempt | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget,
    private readonly url: string,
    private readonly video: () => HTMLVideoElement | undefined,
    private readonly listener: Pick<PlayListener, 'state' | 'sound'>,
  ) {}

  start(): void {
    if (!this.#ended) void this.#connect();
  }

  read(): Promise<PlayerReading | undefined> {
    const attempt = this.#attempt;
    if (!attempt?.hls || !attempt.isPlaying) return Promise.resolve(undefined);
    this.#watchProgress(attempt);
    return Promise.resolve(readingOf(attempt, attempt.hls));
  }

  end(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    this.#ended = true;
    clearTimeout(this.#retry);
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.listener.state({ kind: 'idle' });
    if (attempt) release(attempt);
    return Promise.resolve();
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    this.listener.state({ kind: 'connecting' });
    const video = this.video();
    if (!video) {
      // The element is about to be rendered.
      this.#retry = setTimeout(() => void this.#connect(), elementDelayMs);
      return;
    }
    const attempt: Attempt = {
      video,
      bytes: 0,
      isPlaying: false,
      positionS: 0,
      movedAtMs: performance.now(),
      leave: [],
    };
    this.#attempt = attempt;
    try {
      // Loaded on demand: it is as large as the rest of the window.
      const { default: Player } = await import('hls.js');
      if (this.#attempt === attempt) this.#open(attempt, Player);
    } catch (error) {
      this.#fail(attempt, sentenceOf(error));
    }
  }

  #open(attempt: Attempt, Player: typeof Hls): void {
    const { node, stream } = this.target;
    if (!Player.isSupported()) throw new Error("HLS playback is unavailable: this window can't play H.264 segments.");
    const hls = new Player({
      loader: loaderThrough((url) => this.engine.call('player.fetch', { node, url }), {
        received: (bytes) => (attempt.bytes += bytes),
        failed: (url, why) => (attempt.failure = this.#sentenceOfPiece(url, why)),
      }),
      // Workers would need a blob URL, which the window's policy refuses; one stream is little work.
      enableWorker: false,
      enableWebVTT: false,
      enableIMSC1: false,
      enableCEA708Captions: false,
      backBufferLength: 10,
    });
    attempt.hls = hls;
    hls.on(Player.Events.ERROR, (_, data) => {
      if (data.fatal) this.#fail(attempt, attempt.failure ?? `${stream} can't be played: ${data.error.message}.`);
    });
    hls.on(Player.Events.BUFFER_CODECS, (_, { video, audio, audiovideo }) => {
      attempt.videoCodec = mp4CodecName(video?.codec ?? audiovideo?.codec) ?? attempt.videoCodec;
      attempt.audioCodec = mp4CodecName(audio?.codec) ?? attempt.audioCodec;
    });
    hls.on(Player.Events.FRAG_CHANGED, (_, { frag }) => {
      const { total } = frag.stats;
      attempt.segmentKbps = total > 0 && frag.duration > 0 ? (total * 8) / 1000 / frag.duration : undefined;
    });
    this.#watchElement(attempt);
    // Attached only once there is something to play: letting go of an element that has just been given an address is an
    // error on the console.
    hls.on(Player.Events.MANIFEST_PARSED, () => hls.attachMedia(attempt.video));
    hls.loadSource(this.url);
    this.#failAfter(attempt, firstMediaLimitMs, `No video of ${stream} within 20 s.`);
  }

  #watchElement(attempt: Attempt): void {
    const { video } = attempt;
    const on = (name: string, listener: () => void): void => {
      video.addEventListener(name, listener);
      attempt.leave.push(() => video.removeEventListener(name, listener));
    };
    on('playing', () => this.#onPlaying(attempt));
    on('ended', () => this.#fail(attempt, `${this.target.stream} has ended.`));
  }

  #onPlaying(attempt: Attempt): void {
    if (this.#attempt !== attempt || attempt.isPlaying) return;
    attempt.isPlaying = true;
    attempt.movedAtMs = performance.now();
    clearTimeout(attempt.watch);
    this.#failures = 0;
    this.listener.state({ kind: 'playing', sinceMs: Date.now() });
    const captured = (attempt.video as CapturableElement).captureStream?.();
    // Only audio is needed, and a second copy of the video costs CPU.
    for (const track of captured?.getVideoTracks() ?? []) track.stop();
    const audio = captured?.getAudioTracks() ?? [];
    if (audio.length > 0) this.listener.sound(new MediaStream(audio));
    attempt.leave.push(() => audio.forEach((track) => track.stop()));
  }

  /** hls.js reports no error for a stalled playlist. */
  #watchProgress(attempt: Attempt): void {
    const nowMs = performance.now();
    const { currentTime } = attempt.video;
    if (currentTime !== attempt.positionS) {
      attempt.positionS = currentTime;
      attempt.movedAtMs = nowMs;
    } else if (nowMs - attempt.movedAtMs > silenceLimitMs)
      this.#fail(attempt, attempt.failure ?? `${this.target.stream} stopped sending media.`);
  }

  #sentenceOfPiece(url: string, why: string | number): string {
    const { node, stream } = this.target;
    const isPlaylist = /\.m3u8?$/i.test(new URL(url, this.url).pathname);
    const piece = isPlaylist ? 'the playlist' : 'a segment';
    if (why === 404 && isPlaylist) return `${node} has no playlist of ${stream}.`;
    if (typeof why === 'number') return `${node} responded HTTP ${why} for ${piece} of ${stream}.`;
    return why;
  }

  #failAfter(attempt: Attempt, delayMs: number, sentence: string): void {
    clearTimeout(attempt.watch);
    attempt.watch = setTimeout(() => this.#fail(attempt, attempt.failure ?? sentence), delayMs);
  }

  #fail(attempt: Attempt, sentence: string): void {
    if (this.#attempt !== attempt || this.#ended) return;
    this.#attempt = undefined;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures);
    this.#retry = setTimeout(() => void this.#connect(), delayMs);
    this.listener.state({ kind: 'waiting', sentence, retryAtMs: Date.now() + delayMs });
    release(attempt);
  }
}

function release(attempt: Attempt): void {
  clearTimeout(attempt.watch);
  for (const leave of attempt.leave) leave();
  attempt.hls?.destroy();
}

function readingOf(attempt: Attempt, hls: Hls): PlayerReading {
  const { video } = attempt;
  const quality = video.getVideoPlaybackQuality();
  const hasPicture = video.videoWidth > 0;
  const { levels, currentLevel, latency } = hls;
  const buffer = hls.mainForwardBufferInfo;
  return {
    timeMs: performance.now(),
    bytes: attempt.bytes,
    packets: undefined,
    packetsLost: undefined,
    framesDecoded: hasPicture ? quality.totalVideoFrames : undefined,
    framesDropped: hasPicture ? quality.droppedVideoFrames : undefined,
    jitterMs: undefined,
    rttMs: undefined,
    width: hasPicture ? video.videoWidth : undefined,
    height: hasPicture ? video.videoHeight : undefined,
    videoCodec: attempt.videoCodec,
    decoder: undefined,
    audioCodec: attempt.audioCodec,
    audioClockHz: undefined,
    jitterBufferDelayMs: undefined,
    jitterBufferFrames: undefined,
    segments: {
      bitrateKbps: attempt.segmentKbps,
      level: currentLevel >= 0 ? `${currentLevel + 1} of ${levels.length}` : undefined,
      // hls.js reports 0 for a playlist that is not live.
      behindLiveMs: latency > 0 ? latency * 1000 : undefined,
      bufferMs: buffer ? buffer.len * 1000 : undefined,
    },
  };
}
