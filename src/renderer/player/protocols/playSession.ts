import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import type { PlayerReading } from '../figures/playerStats';

/** What all protocols of the control player have in common. */

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

export interface Choice {
  readonly id: string;
  readonly title: string;
}

/** What of a stream can be chosen by hand; a list with fewer than two is no choice. */
export interface Choices {
  /** Videos of a room. */
  readonly tracks: readonly Choice[];
  readonly track?: string | undefined;
  /** Simulcast layers or renditions. */
  readonly layers: readonly Choice[];
  readonly layer?: string | undefined;
}

export interface PlaybackListener {
  /** A new media stream; the previous one has ended. A playback may play in the element itself instead. */
  media(stream: MediaStream): void;
  /** Audio of the element, for the level meter. */
  sound(stream: MediaStream): void;
  choices(choices: Choices): void;
  /** Media arrives. */
  playing(): void;
  /** It has failed or ended, for this reason. */
  failed(sentence: string): void;
}

/** One connection that plays a stream, from when it is opened. */
export interface Playback {
  /** Current figures; undefined without media. Called once a second, which also detects stalls. */
  read(): Promise<PlayerReading | undefined>;
  /** Selects a track or layer of the reported choices. */
  choose?(id: string): void;
  /** Plays later by so many ms from now on, or earlier again by a negative number; absent where this is impossible. */
  delayBy?(changeMs: number): void;
  /** Plays with as short a buffer as the network allows; absent where the buffer can't be set. */
  shortenBuffer?(): void;
  /** Ends it on the server too. */
  end(): Promise<void>;
}

/** Opens a playback, which reports everything to the listener; undefined while the video element is not rendered yet. */
export type OpenPlayback = (listener: PlaybackListener) => Playback | undefined;

/** Engine calls and events of a playback. */
export type PlayEngine = Pick<EngineClient<EngineCallName>, 'call' | 'on'>;
