import type Mpegts from 'mpegts.js';
import { isRepackaged, type PlayerProtocol } from '../../../domain/model/playerProtocols';
import { mp4CodecName } from '../../../domain/text/codecNames';
import type { PlayerReading } from '../figures/playerStats';
import { ElementWatch } from './elementWatch';
import { connectThrough, type EngineConnection } from './engineConnection';
import { errorText } from '../../../domain/text/errorText';
import type { Playback, PlaybackListener, PlayEngine, PlayTarget } from './playSession';

/** Playback is faster from the first amount of buffered media on, until it is down to the second. */
const maxBufferS = 1.2;
const targetBufferS = 0.8;
const catchUpRate = 1.2;

export interface StreamedAddress {
  readonly protocol: PlayerProtocol;
  readonly url: string;
}

/**
 * One viewer of a stream of bytes, which mpegts.js plays: FLV over HTTP or WebSocket, or the MPEG-TS to which the engine
 * repackages RTMP, RTSP and SRT.
 */
export class FlvPlayback implements Playback {
  readonly #element: ElementWatch;
  #player: Mpegts.Player | undefined;
  #connection: EngineConnection | undefined;
  #ended = false;
  #bytes = 0;
  #codecs: { readonly video?: string | undefined; readonly audio?: string | undefined } = {};
  /** Why the connection failed, since mpegts.js reports less. */
  #failure: string | undefined;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget,
    private readonly address: StreamedAddress,
    video: HTMLVideoElement,
    private readonly listener: PlaybackListener,
  ) {
    const limits = { firstMs: 15_000, silenceMs: 5000 };
    this.#element = new ElementWatch(
      video,
      { stream: target.stream, ...limits, reason: () => this.#failure },
      listener,
    );
    // Loaded on demand: few servers need it.
    import('mpegts.js').then(
      ({ default: library }) => this.#open(library),
      (error: unknown) => listener.failed(errorText(error)),
    );
  }

  read(): Promise<PlayerReading | undefined> {
    if (!this.#element.isPlaying) return Promise.resolve(undefined);
    const { buffered, currentTime } = this.#element.video;
    const endS = buffered.length > 0 ? buffered.end(buffered.length - 1) : undefined;
    const bufferS = endS === undefined ? undefined : Math.max(0, endS - currentTime);
    if (bufferS !== undefined) this.#catchUp(bufferS);
    return Promise.resolve({
      ...this.#element.read(),
      bytes: this.#bytes,
      videoCodec: this.#codecs.video,
      audioCodec: this.#codecs.audio,
      buffer: { bufferMs: bufferS === undefined ? undefined : bufferS * 1000 },
    });
  }

  delayBy(changeMs: number): void {
    this.#element.delayBy(changeMs);
  }

  end(): Promise<void> {
    this.#ended = true;
    this.#element.end();
    this.#player?.destroy();
    this.#connection?.close();
    return Promise.resolve();
  }

  /** Stays close to live, unless the playback was delayed on purpose; mpegts.js knows of no such delay. */
  #catchUp(bufferS: number): void {
    const { video, delayedS } = this.#element;
    if (bufferS - delayedS > maxBufferS) video.playbackRate = catchUpRate;
    else if (bufferS - delayedS <= targetBufferS) video.playbackRate = 1;
  }

  #open(library: typeof Mpegts): void {
    if (this.#ended) return;
    const { stream } = this.target;
    const { protocol, url } = this.address;
    // Its errors are reported on screen.
    library.LoggingControl.enableAll = false;
    const player = library.createPlayer(
      { type: isRepackaged(protocol) ? 'mpegts' : 'flv', isLive: true, url },
      {
        isLive: true,
        // Its worker would need a blob URL, which the window's policy refuses.
        enableWorker: false,
        enableStashBuffer: false,
        autoCleanupSourceBuffer: true,
        customLoader: this.#loader(library),
      },
    );
    this.#player = player;
    // Later: the library still uses what the end of this playback destroys.
    const fail = (sentence: string): void => queueMicrotask(() => this.listener.failed(this.#failure ?? sentence));
    player.on(library.Events.ERROR, (_type: string, _detail: string, info?: { readonly msg?: string }) =>
      fail(`${stream} can't be played: ${info?.msg ?? 'unknown format'}.`),
    );
    player.on(library.Events.LOADING_COMPLETE, () => fail(`${stream} has ended.`));
    player.on(library.Events.MEDIA_INFO, (info: { readonly videoCodec?: string; readonly audioCodec?: string }) => {
      this.#codecs = { video: mp4CodecName(info.videoCodec), audio: mp4CodecName(info.audioCodec) };
    });
    player.attachMediaElement(this.#element.video);
    player.load();
    // Rejects when the element is detached meanwhile.
    Promise.resolve(player.play()).catch(() => undefined);
  }

  /** The loader for mpegts.js; its own would open connections from the window. */
  #loader(library: typeof Mpegts): Mpegts.CustomLoaderConstructor {
    const connect = (listener: Parameters<typeof connectThrough>[2]): EngineConnection => {
      const { protocol, url } = this.address;
      const kind = isRepackaged(protocol) ? 'repackage' : protocol === 'ws-flv' ? 'websocket' : 'http';
      this.#connection = connectThrough(this.engine, { ...this.target, kind, url }, listener);
      return this.#connection;
    };
    const received = (bytes: number): number => (this.#bytes += bytes);
    const failed = (sentence: string): string => (this.#failure = sentence);
    const { node, stream } = this.target;
    const status = { idle: 0, connecting: 1, buffering: 2, error: 3, complete: 4 } as const;

    return class EngineLoader extends library.BaseLoader {
      #open: EngineConnection | undefined;
      #position = 0;

      constructor() {
        super('engine');
        this._needStash = true;
      }

      override open(): void {
        this._status = status.connecting;
        this.#open = connect({
          data: (data) => this.#take(data),
          closed: (_code, sentence) => {
            if (sentence !== undefined) return this.#fail(sentence);
            this._status = status.complete;
            this.onComplete(0, this.#position - 1);
          },
        });
        this.#open.opened.then(
          (code) => {
            if (code >= 300) this.#fail(`${node} responded HTTP ${code} for ${stream}.`, code);
          },
          (error: unknown) => this.#fail(errorText(error)),
        );
      }

      override abort(): void {
        this.#open?.close();
        this._status = status.complete;
      }

      override destroy(): void {
        if (this.isWorking()) this.abort();
        super.destroy();
      }

      #take(data: string | Uint8Array): void {
        if (typeof data === 'string') return;
        this._status = status.buffering;
        const start = this.#position;
        this.#position += data.length;
        received(data.length);
        this.onDataArrival(data.slice().buffer, start, this.#position);
      }

      #fail(sentence: string, code = -1): void {
        if (this._status === status.error) return;
        failed(sentence);
        this._status = status.error;
        this.#open?.close();
        // Its type declares the table of errors where one of them is meant.
        const kind = library.LoaderErrors.EXCEPTION as unknown as Mpegts.LoaderErrors;
        this.onError(kind, { code, msg: sentence });
      }
    };
  }
}
