/** What the corner with the state pill and `Stop all` shows; the same in every view. */
export interface Control {
  readonly isLive: boolean;
  /** A sample came within the last 3 s. */
  readonly isFresh: boolean;
  readonly isActive: boolean;
  readonly isStopping: boolean;
  readonly offersForce: boolean;
  readonly left: number;
  readonly onStop: () => void;
}
