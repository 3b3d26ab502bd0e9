import type { ChartId } from '../../domain/model/chartIds';

/** Drag type of a chart, so that a dropped file is not mistaken for one. */
const dragType = 'application/x-fullhouse-chart';

/** Where a dragged chart would land: before or after a card. */
export interface DropPosition {
  readonly chart: ChartId;
  readonly isAfter: boolean;
}

export function cardOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-chart]') ?? undefined) : undefined;
}

const idOf = (card: HTMLElement | undefined): ChartId | undefined => card?.dataset['chart'] as ChartId | undefined;

/** The chart being dragged by its header. */
export function beginDrag(event: DragEvent): ChartId | undefined {
  const id = idOf(cardOf(event.target));
  if (!id || !event.dataTransfer) return undefined;
  event.dataTransfer.setData(dragType, id);
  event.dataTransfer.effectAllowed = 'move';
  return id;
}

/** Drop position of the dragged chart; undefined if something else is dragged. */
export function dropPosition(event: DragEvent): DropPosition | undefined {
  const card = cardOf(event.target);
  const chart = idOf(card);
  if (!card || !chart || !event.dataTransfer?.types.includes(dragType)) return undefined;
  const { left, width } = card.getBoundingClientRect();
  return { chart, isAfter: event.clientX > left + width / 2 };
}

/** Index of the dragged chart after the drop. */
export function indexAfterDrop(shown: readonly ChartId[], dragged: ChartId, drop: DropPosition): number {
  const others = shown.filter((id) => id !== dragged);
  const at = others.indexOf(drop.chart);
  return at < 0 ? shown.indexOf(dragged) : at + (drop.isAfter ? 1 : 0);
}
