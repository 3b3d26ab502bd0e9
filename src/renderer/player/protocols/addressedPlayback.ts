import type { CallOutput } from '../../../contract/engine';
import { playbackNameOf, type PlaybackName, type PlayerProtocol } from '../../../domain/model/playerProtocols';
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
        const newPlayback = playbacks[playbackNameOf(address.protocol)];
        this.#playback = newPlayback(engine, { node, stream }, address, video, listener);
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

  get shortenBuffer(): (() => void) | undefined {
    const playback = this.#playback;
    return playback?.shortenBuffer && (() => playback.shortenBuffer?.());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#playback?.end();
  }
}

type NewPlayback = (
  engine: PlayEngine,
  target: PlayTarget,
  address: PlayerAddress,
  video: HTMLVideoElement,
  listener: PlaybackListener,
) => Playback;

const playbacks: Readonly<Record<PlaybackName, NewPlayback>> = {
  whep: (engine, target, { protocol }, _video, listener) =>
    new WhepPlayback(engine, { ...target, protocol: protocol === 'wcs' ? 'wcs' : 'whep' }, listener),
  liveKit: (engine, target, { url }, _video, listener) => new LiveKitPlayback(engine, target, url, listener),
  hls: (engine, target, { url }, video, listener) => new HlsPlayback(engine, target, url, video, listener),
  mjpeg: (engine, target, { url }, _video, listener) => new MjpegPlayback(engine, target, url, listener),
  flv: (engine, target, { protocol, url }, video, listener) =>
    new FlvPlayback(engine, target, { protocol, url }, video, listener),
};
