import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import type { PlayerReading } from '../figures/playerStats';

/** Common interface of playback sessions. */

export type PlayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'playing'; readonly sinceMs: number }
  /** No playback; `sentence` gives the reason, the next try is at `retryAtMs`. */
  | { readonly kind: 'waiting'; readonly sentence: string; readonly retryAtMs: number };

export interface PlayTarget {
  readonly node: string;
  readonly stream: string;
}

export interface PlayListener {
  state(state: PlayState): void;
  /** A new media stream; the previous one has ended. A session may play in the element itself instead. */
  media(stream: MediaStream): void;
  /** Audio of the element, for the level meter. */
  sound(stream: MediaStream): void;
}

/** One viewer: plays a stream and retries when it ends, until `end` is called. */
export interface PlaySession {
  /** Starts playback. Failures and retries are reported to the listener. */
  start(): void;
  /** Current figures; undefined without a connection. Called once a second, which also detects stalls. */
  read(): Promise<PlayerReading | undefined>;
  /** Ends the session on the server too. Safe to call twice. */
  end(): Promise<void>;
}

/** Engine calls of a session. */
export type PlayEngine = Pick<EngineClient<EngineCallName>, 'call' | 'on'>;

/**
 * Delay before try number `failures + 1`: short at first, then up to 5 s, so a waiting player generates no load.
 */
export function retryDelayMs(failures: number): number {
  return Math.min(5000, 500 * 2 ** Math.max(0, failures - 1));
}
