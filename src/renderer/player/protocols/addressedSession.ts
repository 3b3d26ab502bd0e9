import type { CallOutput } from '../../../contract/engine';
import { HlsSession } from './hlsSession';
import { sentenceOf } from './peer';
import type { PlayerReading } from '../figures/playerStats';
import { retryDelayMs, type PlayEngine, type PlayListener, type PlaySession, type PlayTarget } from './playSession';
import { WhepSession } from './whepSession';

type Address = CallOutput<'player.address'>;
export type PlayerProtocol = Address['protocol'];

export interface AddressedListener extends PlayListener {
  protocol(protocol: PlayerProtocol): void;
}

/** Requests the playback address of a stream from the engine, and plays it. */
export class AddressedSession implements PlaySession {
  #session: PlaySession | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget,
    private readonly video: () => HTMLVideoElement | undefined,
    private readonly listener: AddressedListener,
  ) {}

  start(): void {
    if (!this.#ended) void this.#find();
  }

  async read(): Promise<PlayerReading | undefined> {
    return this.#session?.read();
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#retry);
    if (this.#session) await this.#session.end();
    else this.listener.state({ kind: 'idle' });
  }

  async #find(): Promise<void> {
    this.listener.state({ kind: 'connecting' });
    try {
      const address = await this.engine.call('player.address', this.target);
      if (this.#ended) return;
      this.listener.protocol(address.protocol);
      this.#session = this.#sessionFor(address);
      this.#session.start();
    } catch (error) {
      if (this.#ended) return;
      this.#failures += 1;
      const delayMs = retryDelayMs(this.#failures);
      this.#retry = setTimeout(() => void this.#find(), delayMs);
      this.listener.state({ kind: 'waiting', sentence: sentenceOf(error), retryAtMs: Date.now() + delayMs });
    }
  }

  #sessionFor({ protocol, url }: Address): PlaySession {
    const { engine, target, listener } = this;
    return protocol === 'hls'
      ? new HlsSession(engine, target, url, this.video, listener)
      : new WhepSession(engine, target, listener);
  }
}
