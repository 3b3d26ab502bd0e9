/** Where a menu of a point or a row opens, in px of the window: below `y`, its left or right edge at `x`. */
export interface MenuCorner {
  readonly x: number;
  readonly y: number;
  readonly align: 'left' | 'right';
  /** Without space below, it ends here; absent: it is moved up just enough. */
  readonly aboveY?: number;
}

/** An entry of a Menu. */
export interface MenuItem {
  /** Unique in the menu. */
  readonly id: string;
  readonly text: string;
  /** At the right end. */
  readonly about?: string;
  /** Display form of its key, at the right end. */
  readonly keys?: string;
  /** On a second line. */
  readonly detail?: string;
  readonly swatch?: number;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** The current one of several. */
  readonly isCurrent?: boolean;
  /** An option that is on or off; the menu stays open. */
  readonly isChecked?: boolean;
  /** A line above it. */
  readonly startsGroup?: boolean;
  /** A title above it. */
  readonly heading?: string;
  /** The menu stays open. */
  readonly staysOpen?: boolean;
  readonly testId?: string;
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  /** Deletes the entry; the menu stays open. */
  readonly remove?: { readonly label: string; readonly testId: string; readonly run: () => void };
  readonly run: () => void;
}
