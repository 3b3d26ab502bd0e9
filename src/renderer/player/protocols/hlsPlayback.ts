import type Hls from 'hls.js';
import { mp4CodecName } from '../../../domain/text/codecNames';
import type { PlayerReading } from '../figures/playerStats';
import { ElementWatch } from './elementWatch';
import { loaderThrough } from './hlsLoader';
import { errorText } from '../../../domain/text/errorText';
import type { Choice, Playback, PlaybackListener, PlayEngine, PlayTarget } from './playSession';

const automatic = 'auto';

/** One viewer of an HLS stream. Playlists and segments are fetched by the engine; this window opens no connection. */
export class HlsPlayback implements Playback {
  readonly #element: ElementWatch;
  #hls: Hls | undefined;
  #ended = false;
  #bytes = 0;
  #segmentKbps: number | undefined;
  #videoCodec: string | undefined;
  #audioCodec: string | undefined;
  /** Last request failure, since hls.js reports less. */
  #failure: string | undefined;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget,
    private readonly url: string,
    video: HTMLVideoElement,
    private readonly listener: PlaybackListener,
  ) {
    const { stream } = target;
    // Segments are usually 2 to 6 s, and three are buffered.
    const limits = { firstMs: 20_000, silenceMs: 12_000 };
    this.#element = new ElementWatch(video, { stream, ...limits, reason: () => this.#failure }, listener);
    // Loaded on demand: it is as large as the rest of the window.
    import('hls.js').then(
      ({ default: Player }) => this.#open(Player),
      (error: unknown) => listener.failed(errorText(error)),
    );
  }

  read(): Promise<PlayerReading | undefined> {
    const hls = this.#hls;
    if (!hls || !this.#element.isPlaying) return Promise.resolve(undefined);
    const { levels, currentLevel, latency, playingDate } = hls;
    const buffer = hls.mainForwardBufferInfo;
    return Promise.resolve({
      ...this.#element.read(),
      bytes: this.#bytes,
      videoCodec: this.#videoCodec,
      audioCodec: this.#audioCodec,
      senderTimeMs: playingDate?.getTime(),
      buffer: {
        bitrateKbps: this.#segmentKbps,
        level: currentLevel >= 0 ? `${currentLevel + 1} of ${levels.length}` : undefined,
        // hls.js reports 0 for a playlist that is not live.
        behindLiveMs: latency > 0 ? latency * 1000 : undefined,
        bufferMs: buffer ? buffer.len * 1000 : undefined,
        hasParts: (hls.latestLevelDetails?.partList?.length ?? 0) > 0,
      },
    });
  }

  choose(id: string): void {
    if (!this.#hls) return;
    this.#hls.nextLevel = id === automatic ? -1 : Number(id);
    this.#reportChoices(this.#hls);
  }

  delayBy(changeMs: number): void {
    this.#element.delayBy(changeMs);
  }

  end(): Promise<void> {
    this.#ended = true;
    this.#element.end();
    this.#hls?.destroy();
    return Promise.resolve();
  }

  #open(Player: typeof Hls): void {
    if (this.#ended) return;
    const { node, stream } = this.target;
    if (!Player.isSupported()) {
      this.listener.failed("HLS playback is unavailable: this window can't play H.264 segments.");
      return;
    }
    const hls = new Player({
      loader: loaderThrough((url) => this.engine.call('player.fetch', { node, url }), {
        received: (bytes) => (this.#bytes += bytes),
        failed: (url, why) => (this.#failure = this.#sentenceOfPiece(url, why)),
      }),
      // Workers would need a blob URL, which the window's policy refuses; one stream is little work.
      enableWorker: false,
      enableWebVTT: false,
      enableIMSC1: false,
      enableCEA708Captions: false,
      // Kept so that this playback can be delayed to the slowest of several.
      backBufferLength: 10,
    });
    this.#hls = hls;
    hls.on(Player.Events.ERROR, (_, data) => {
      if (data.details === Player.ErrorDetails.MANIFEST_PARSING_ERROR)
        this.#failure = `${node} responds with something other than a playlist for ${stream}.`;
      // hls.js requests the next segment, and so on.
      if (data.details === Player.ErrorDetails.FRAG_PARSING_ERROR && !this.#element.isPlaying)
        this.listener.failed(`The segments of ${stream} on ${node} are neither MPEG-TS nor fragmented MP4.`);
      if (!data.fatal) return;
      // What the decoder reports is the cause; hls.js only sees that it takes no more segments.
      const why = (this.#element.video.error ?? data.error).message.replace(/\.$/, '');
      this.listener.failed(this.#failure ?? `${stream} can't be played: ${why}.`);
    });
    hls.on(Player.Events.BUFFER_CODECS, (_, { video, audio, audiovideo }) => {
      this.#videoCodec = mp4CodecName(video?.codec ?? audiovideo?.codec) ?? this.#videoCodec;
      this.#audioCodec = mp4CodecName(audio?.codec) ?? this.#audioCodec;
    });
    hls.on(Player.Events.FRAG_CHANGED, (_, { frag }) => {
      const { total } = frag.stats;
      this.#segmentKbps = total > 0 && frag.duration > 0 ? (total * 8) / 1000 / frag.duration : undefined;
    });
    // Attached only once there is something to play: letting go of an element that has just been given an address is an
    // error on the console.
    hls.on(Player.Events.MANIFEST_PARSED, () => {
      hls.attachMedia(this.#element.video);
      this.#reportChoices(hls);
    });
    hls.loadSource(this.url);
  }

  #reportChoices(hls: Hls): void {
    if (hls.levels.length < 2) return;
    const levels = hls.levels.map(({ height, bitrate }, index): Choice => ({
      id: String(index),
      title: height > 0 ? `${height}p` : `${Math.round(bitrate / 1000)} kbit/s`,
    }));
    const layer = hls.autoLevelEnabled ? automatic : String(hls.nextLevel);
    this.listener.choices({ tracks: [], layers: [{ id: automatic, title: 'Automatic' }, ...levels], layer });
  }

  #sentenceOfPiece(url: string, why: string | number): string {
    const { node, stream } = this.target;
    const isPlaylist = /\.m3u8?$/i.test(new URL(url, this.url).pathname);
    const piece = isPlaylist ? 'the playlist' : 'a segment';
    if (why === 404 && isPlaylist) return `${node} has no playlist of ${stream}.`;
    if (typeof why === 'number') return `${node} responded HTTP ${why} for ${piece} of ${stream}.`;
    return why;
  }
}
