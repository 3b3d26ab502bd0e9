/** A stream that can be played, while nothing is. */
export interface PlayerOffer {
  /** e.g. `Play cam of wcs-1`. */
  readonly text: string;
  readonly onPlay: () => void;
}
