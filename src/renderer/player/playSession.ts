import type { EngineClient } from '../../contract/calls';
import type { EngineCallName } from '../../contract/engine';
import type { PlayerReading } from './playerStats';

/** What every way of playing a stream has in common. */

export type PlayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'playing'; readonly sinceMs: number }
  /** Nothing plays; `sentence` says why, and the next try is at `retryAtMs`. */
  | { readonly kind: 'waiting'; readonly sentence: string; readonly retryAtMs: number };

export interface PlayTarget {
  readonly node: string;
  readonly stream: string;
}

export interface PlayListener {
  state(state: PlayState): void;
  /** A new picture with its sound; the one before has ended. A session may play in the element itself instead. */
  media(stream: MediaStream): void;
  /** The sound of what plays in the element, to be measured. */
  sound(stream: MediaStream): void;
}

/** One viewer: plays a stream and keeps asking for it when it ends, until `end` is called. */
export interface PlaySession {
  /** Starts playing. Failures are told to the listener, which also hears of every further try. */
  start(): void;
  /** The figures of this moment; undefined while nothing is connected. Asked once a second: silence is noticed here. */
  read(): Promise<PlayerReading | undefined>;
  /** Leaves the stream and lets the server know. Safe to call twice. */
  end(): Promise<void>;
}

/** What a session needs of the engine. */
export type PlayEngine = Pick<EngineClient<EngineCallName>, 'call'>;

/** Wait before try number `failures + 1`: soon at first, then at most every 5 s, so that a waiting player is no load. */
export function retryDelayMs(failures: number): number {
  return Math.min(5000, 500 * 2 ** Math.max(0, failures - 1));
}
