import { tick } from 'svelte';
import type { ChartSpec } from '../../domain/charts/charts';
import type { ChartId } from '../../domain/model/chartIds';
import { chartActionOfKey, chartActions, type ChartArranger } from './chartActions';
import type { ChartArrangement } from './chartGridProps';

interface ArrangedGrid {
  /** In the order of the grid. */
  readonly specs: readonly ChartSpec[];
  readonly onArrange: ChartArrangement | undefined;
  readonly pane: HTMLElement;
  /** For screen readers. */
  readonly announce: (text: string) => void;
}

/** Arranges the charts of a grid by menu, key and drag, and announces it to screen readers. */
export class Arranging {
  #dragged = $state<ChartId>();
  #drop = $state.raw<DropPosition>();
  readonly #grid: () => ArrangedGrid;

  constructor(grid: () => ArrangedGrid) {
    this.#grid = grid;
  }

  /** Absent where charts can't be arranged. */
  get arranger(): ChartArranger | undefined {
    const { specs, onArrange } = this.#grid();
    return (
      onArrange && {
        shown: specs,
        move: (id, to) => void this.#arrange(id, 'moved', () => onArrange.move(this.#ids, id, to)),
        fold: (id) => void this.#arrange(id, 'collapsed', () => onArrange.fold(id, true)),
        remove: (id) => void this.#arrange(id, 'removed', () => onArrange.remove(id)),
        edit: (id) => {
          const spec = specs.find((spec) => spec.id === id);
          if (spec) onArrange.edit(spec);
        },
      }
    );
  }

  /** Where the dragged chart would land. */
  get drop(): DropPosition | undefined {
    return this.#drop?.chart === this.#dragged ? undefined : this.#drop;
  }

  unfold(chart: ChartSpec): void {
    this.#grid().onArrange?.fold(chart.id, false);
    this.#grid().announce(`${chart.title} unfolded`);
  }

  onKey(event: KeyboardEvent): void {
    const id = cardOf(event.target)?.dataset['chart'] as ChartId | undefined;
    const { arranger } = this;
    const action = id && arranger && chartActionOfKey(event, chartActions(id, arranger));
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action.run();
  }

  onDragStart(event: DragEvent): void {
    this.#dragged = this.arranger && beginDrag(event);
  }

  onDragOver(event: DragEvent): void {
    this.#drop = this.#dragged === undefined ? undefined : dropPosition(event);
    if (this.#drop) event.preventDefault();
  }

  onDrop(event: DragEvent): void {
    const { arranger } = this;
    if (this.#dragged === undefined || !this.#drop || !arranger) return;
    event.preventDefault();
    arranger.move(this.#dragged, indexAfterDrop(this.#ids, this.#dragged, this.#drop));
    this.endDrag();
  }

  endDrag(): void {
    this.#dragged = undefined;
    this.#drop = undefined;
  }

  get #ids(): readonly ChartId[] {
    return this.#grid().specs.map(({ id }) => id);
  }

  async #arrange(id: ChartId, what: 'moved' | 'collapsed' | 'removed', act: () => void): Promise<void> {
    const title = this.#grid().specs.find((spec) => spec.id === id)?.title ?? id;
    const before = document.activeElement;
    act();
    await tick();
    // A moved card loses focus.
    if (before instanceof HTMLElement && before.isConnected && document.activeElement !== before)
      before.focus({ preventScroll: true });
    const { specs, pane, announce } = this.#grid();
    if (what === 'moved') pane.querySelector(`[data-chart="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
    announce(
      what === 'moved'
        ? `${title}: position ${this.#ids.indexOf(id) + 1} of ${specs.length}`
        : `${title} ${what}, ${specs.length} charts left`,
    );
  }
}

/** Drag type of a chart, so that a dropped file is not mistaken for one. */
const dragType = 'application/x-fullhouse-chart';

/** Where a dragged chart would land: before or after a card. */
interface DropPosition {
  readonly chart: ChartId;
  readonly isAfter: boolean;
}

function cardOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-chart]') ?? undefined) : undefined;
}

const idOf = (card: HTMLElement | undefined): ChartId | undefined => card?.dataset['chart'] as ChartId | undefined;

/** The chart being dragged by its header. */
function beginDrag(event: DragEvent): ChartId | undefined {
  const id = idOf(cardOf(event.target));
  if (!id || !event.dataTransfer) return undefined;
  event.dataTransfer.setData(dragType, id);
  event.dataTransfer.effectAllowed = 'move';
  return id;
}

/** Drop position of the dragged chart; undefined if something else is dragged. */
function dropPosition(event: DragEvent): DropPosition | undefined {
  const card = cardOf(event.target);
  const chart = idOf(card);
  if (!card || !chart || !event.dataTransfer?.types.includes(dragType)) return undefined;
  const { left, width } = card.getBoundingClientRect();
  return { chart, isAfter: event.clientX > left + width / 2 };
}

/** Index of the dragged chart after the drop. */
function indexAfterDrop(shown: readonly ChartId[], dragged: ChartId, drop: DropPosition): number {
  const others = shown.filter((id) => id !== dragged);
  const at = others.indexOf(drop.chart);
  return at < 0 ? shown.indexOf(dragged) : at + (drop.isAfter ? 1 : 0);
}
