/** An entry of a chart's menu. */
export interface ChartAction {
  /** Unique within the menu; `data-action` of its button. */
  readonly id: string;
  readonly title: string;
  /** Display form of its key. */
  readonly keys?: string;
  readonly isEnabled: boolean;
  /** Starts a group: a separator is drawn above it. */
  readonly startsGroup?: boolean;
  readonly run: () => void;
}

/** Where a menu opens, in pixels of the window: its left upper corner, or its right one below a button. */
export interface MenuCorner {
  readonly x: number;
  readonly y: number;
  readonly align: 'left' | 'right';
}
