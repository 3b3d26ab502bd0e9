/** An entry of a chart's menu. */
export interface ChartAction {
  /** Unique within the menu; `data-action` of its button. */
  readonly id: string;
  readonly title: string;
  /** The key that does the same, as it is written for people. */
  readonly keys?: string;
  readonly isEnabled: boolean;
  /** Begins another group: a line stands above it. */
  readonly startsGroup?: boolean;
  readonly run: () => void;
}

/** Where a menu opens, in pixels of the window: its left upper corner, or its right one below a button. */
export interface MenuCorner {
  readonly x: number;
  readonly y: number;
  readonly align: 'left' | 'right';
}
