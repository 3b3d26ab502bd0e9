import type { ChartId } from '../../domain/charts';

/** What a dragged chart is called within the window, so that a dropped file is never taken for one. */
const dragType = 'application/x-fullhouse-chart';

/** Where a dragged chart would land: before or after a card. */
export interface DropPlace {
  readonly chart: ChartId;
  readonly isAfter: boolean;
}

export function cardOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-chart]') ?? undefined) : undefined;
}

const idOf = (card: HTMLElement | undefined): ChartId | undefined =>
  card?.dataset['chart'] as ChartId | undefined;

/** The chart whose head is being dragged. */
export function beginDrag(event: DragEvent): ChartId | undefined {
  const id = idOf(cardOf(event.target));
  if (!id || !event.dataTransfer) return undefined;
  event.dataTransfer.setData(dragType, id);
  event.dataTransfer.effectAllowed = 'move';
  return id;
}

/** Where a chart would land if it were dropped now; undefined when something else is dragged. */
export function dropPlace(event: DragEvent): DropPlace | undefined {
  const card = cardOf(event.target);
  const chart = idOf(card);
  if (!card || !chart || !event.dataTransfer?.types.includes(dragType)) return undefined;
  const { left, width } = card.getBoundingClientRect();
  return { chart, isAfter: event.clientX > left + width / 2 };
}

/** Place of the dragged chart among all once it is dropped. */
export function placeAfterDrop(shown: readonly ChartId[], dragged: ChartId, drop: DropPlace): number {
  const others = shown.filter((id) => id !== dragged);
  const at = others.indexOf(drop.chart);
  return at < 0 ? shown.indexOf(dragged) : at + (drop.isAfter ? 1 : 0);
}
