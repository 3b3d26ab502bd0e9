/** State of the corner with the state pill and `Stop all`; the same in every view. */
export interface StopControl {
  readonly isLive: boolean;
  /** A sample was received within the last 3 s. */
  readonly isFresh: boolean;
  readonly isActive: boolean;
  readonly isStopping: boolean;
  readonly offersForce: boolean;
  readonly left: number;
  readonly onStop: () => void;
}
