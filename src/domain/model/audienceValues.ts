/** Values of an audience's options, and their limits. */

/**
 * Fidelity of a WHEP viewer. `media-only` decrypts the first packets and a sample, and sends what a server needs;
 * `browser` decrypts everything and sends all that a browser sends, at several times the cost.
 */
export const fidelities = ['media-only', 'browser'] as const;
export type Fidelity = (typeof fidelities)[number];

/** How viewers over WebRTC reach the server's candidates. */
export const iceTransports = ['udp', 'tcp'] as const;
export type IceTransport = (typeof iceTransports)[number];

/** What viewers receive. */
export const receivedTracks = ['audio-video', 'audio'] as const;
export type ReceivedTracks = (typeof receivedTracks)[number];

/** Each decodes and displays the stream, at the cost of many viewers. */
export const maxBrowserViewers = 16;

/**
 * Each viewer is a participant of a room: it publishes, and receives all others of its room. The stream's name is that
 * of the rooms, see `numberedName`; the numbers of viewers are those of participants.
 */
export interface PlanRooms {
  /** Participants of each room. */
  readonly size: number;
  /** What each publishes: the built-in sample, or the path of a video file on the testers. */
  readonly source: string;
}

/** How long viewers watch from their first media on, in ms; equal for the same time. */
export interface PlanWatchTime {
  readonly minMs: number;
  readonly maxMs: number;
}

/** An agent checks once a second who has to leave. */
export const minWatchMs = 1000;
export const maxWatchMs = 24 * 3_600_000;

export const roomSizes = { min: 2, max: 50 } as const;
/** Videos that one viewer receives of a room. */
export const maxVideos = roomSizes.max - 1;

/** One stage of a load profile; each starts at the level that the one before it left, the first at 0 viewers. */
export type PlanStage =
  /** Linear to so many viewers, up or down. */
  | { readonly kind: 'ramp'; readonly viewers: number; readonly overMs: number }
  | { readonly kind: 'hold'; readonly forMs: number }
  /** From the current level to `viewers` in steps, each level held. */
  | {
      readonly kind: 'step';
      readonly viewers: number;
      readonly by: number;
      readonly holdMs: number;
      readonly ratePerSecond: number;
    }
  /** To `viewers` as fast as the rate allows, then back. */
  | {
      readonly kind: 'spike';
      readonly viewers: number;
      readonly forMs: number;
      readonly ratePerSecond: number;
    }
  /** A long hold, at whose end growth is reported. */
  | { readonly kind: 'soak'; readonly forMs: number }
  /** So many viewers are replaced by new ones every `everyMs`, oldest first. */
  | {
      readonly kind: 'churn';
      readonly forMs: number;
      readonly replacePercent: number;
      readonly everyMs: number;
      readonly ratePerSecond: number;
    };

/** Settings of the limit search. */
export interface PlanSearch {
  /** Size of the first audience tried. */
  readonly fromViewers: number;
  /** Upper bound of the search. */
  readonly maxViewers: number;
  /** Settling time after a change of size, not measured. */
  readonly settleMs: number;
  /** How long each size is measured. */
  readonly measureMs: number;
  /** How often the limit is measured again. */
  readonly repeats: number;
  /** The search ends when the largest passing and the smallest failing size are this close, in percent of the size. */
  readonly precisionPercent: number;
}

/** Max publishers of one entry of a plan, and so streams of an audience. */
export const maxPublishers = 2000;
