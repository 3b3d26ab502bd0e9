import type { LimitFound } from '../../../domain/search/found';

/** What a director sees of its audience at a moment. Times are Unix ms. */
export interface HouseSeen {
  readonly nowMs: number;
  /** Of the latest wish. */
  readonly wanted: number;
  /** Since when nobody is on the way any more: everybody wanted has arrived or given up, and who was to leave has left. Absent while somebody is. */
  readonly settledMs?: number;
}

/** How many viewers there are to be from now on. */
export interface Wish {
  readonly viewers: number;
  /** Arrivals, where there are to be more. */
  readonly ratePerSecond: number;
  /** So many of the oldest leave at once, and as many new ones come. */
  readonly replace?: number;
  /** Newcomers come in parts of at most so many, so that as few can leave again; by default an eighth of them. */
  readonly grain?: number;
  /** On the way down: rather some more for a moment than newcomers who make it exact. */
  readonly isPassing?: boolean;
  /** What the log says of it. */
  readonly sentence?: string;
}

/** Decides, moment by moment, how large an audience is to be. Has no clock and no I/O of its own; asked at least once a second. */
export interface Director {
  /** Undefined: as it is. `end`: everybody leaves, and the audience is over. */
  next(seen: HouseSeen): Wish | 'end' | undefined;
  /** What is shown of it: whether it grows (or shrinks), or is watched. */
  readonly phase: 'ramp' | 'hold';
  /** When it ends by its plan, Unix ms; absent where nobody can tell. */
  readonly endsMs?: number;
  /** Of a search: what it has found so far. */
  readonly found?: LimitFound;
}
