/** An entry of a Menu. */
export interface MenuItem {
  /** Unique in the menu. */
  readonly id: string;
  readonly text: string;
  /** At the right end. */
  readonly about?: string;
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
