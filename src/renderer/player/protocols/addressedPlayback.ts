import type { CallOutput } from '../../../contract/engine';
import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import type { PlayerReading } from '../figures/playerStats';
import { FlvPlayback } from './flvPlayback';
import { HlsPlayback } from './hlsPlayback';
import { LiveKitPlayback } from './liveKitPlayback';
import { MjpegPlayback } from './mjpegPlayback';
import { errorText } from '../../../domain/text/errorText';
import type { Playback, PlaybackListener, PlayEngine, PlayTarget } from './playSession';
import { WhepPlayback } from './whepPlayback';

export type PlayerAddress = CallOutput<'player.address'>;

/** What to play, and over which protocol; without one over the preferred one of its server. */
export interface AddressedTarget extends PlayTarget {
  readonly protocol?: PlayerProtocol | undefined;
}

/** Requests the playback address of a stream from the engine, and plays it over its protocol. */
export class AddressedPlayback implements Playback {
  #playback: Playback | undefined;
  #ended = false;

  constructor(
    engine: PlayEngine,
    target: AddressedTarget,
    video: HTMLVideoElement,
    listener: PlaybackListener,
    onAddress: (address: PlayerAddress) => void,
  ) {
    const { node, stream, protocol } = target;
    const order = { node, stream, ...(protocol === undefined ? {} : { protocol }) };
    engine
      .call('player.address', order)
      .then((address) => {
        if (this.#ended) return;
        onAddress(address);
        this.#playback = playbackOf(engine, { node, stream }, address, video, listener);
      })
      .catch((error: unknown) => listener.failed(errorText(error)));
  }

  async read(): Promise<PlayerReading | undefined> {
    return this.#playback?.read();
  }

  choose(id: string): void {
    this.#playback?.choose?.(id);
  }

  get delayBy(): ((changeMs: number) => void) | undefined {
    const playback = this.#playback;
    return playback?.delayBy && ((changeMs) => playback.delayBy?.(changeMs));
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#playback?.end();
  }
}

function playbackOf(
  engine: PlayEngine,
  target: PlayTarget,
  { protocol, url }: PlayerAddress,
  video: HTMLVideoElement,
  listener: PlaybackListener,
): Playback {
  switch (protocol) {
    case 'whep':
    case 'wcs':
      return new WhepPlayback(engine, { ...target, protocol }, listener);
    case 'livekit':
      return new LiveKitPlayback(engine, target, url, listener);
    case 'hls':
      return new HlsPlayback(engine, target, url, video, listener);
    case 'mjpeg':
      return new MjpegPlayback(engine, target, url, listener);
    case 'http-flv':
    case 'ws-flv':
    case 'rtmp':
    case 'rtsp':
    case 'srt':
      return new FlvPlayback(engine, target, { protocol, url }, video, listener);
  }
}
