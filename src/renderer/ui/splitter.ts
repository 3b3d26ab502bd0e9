/** Where a resizable pane is: its separator is on the other side. */
export type PaneEdge = 'left' | 'right' | 'bottom';

/** Of a pane, in px. */
export interface PaneLimits {
  readonly min: number;
  readonly max: number;
}

const stepPx = 16;

export const sizeWithin = (px: number, { min, max }: PaneLimits): number =>
  Math.round(Math.min(max, Math.max(min, px)));

/** The size set by a key on the separator, which moves as the arrow shows; undefined for other keys. */
export function sizeByKey(
  { key }: Pick<KeyboardEvent, 'key'>,
  pane: PaneEdge,
  size: number,
  limits: PaneLimits,
): number | undefined {
  const [grow, shrink] = {
    left: ['ArrowRight', 'ArrowLeft'],
    right: ['ArrowLeft', 'ArrowRight'],
    bottom: ['ArrowUp', 'ArrowDown'],
  }[pane];
  if (key === grow) return sizeWithin(size + stepPx, limits);
  if (key === shrink) return sizeWithin(size - stepPx, limits);
  if (key === 'Home') return limits.min;
  return key === 'End' ? limits.max : undefined;
}
