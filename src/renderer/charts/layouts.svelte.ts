import type { SavedLayouts } from '../../contract/layoutSchemas';
import type { ChartId } from '../../domain/model/chartIds';
import {
  banded,
  defaultLayout,
  folded,
  isDefaultLayout,
  layoutBounds,
  moved,
  removed,
  restored,
  sameLayout,
  withChart,
  type ChartLayout,
  type CustomChart,
  type NamedLayout,
} from '../../domain/model/chartLayout';

type Saved = SavedLayouts['saved'][number];

/**
 * Arrangement of the charts: the current layout, and those saved by name. Every change is saved by the app immediately;
 * a named layout changes only by `save`.
 */
export class Layouts {
  current = $state.raw<ChartLayout>(defaultLayout);
  /** Name of the saved layout that `current` started from; absent for the default one. */
  name = $state.raw<string>();
  saved = $state.raw<readonly Saved[]>([]);
  /** The layout of the displayed run, while offered. */
  offered = $state.raw<NamedLayout>();
  readonly #onChange: (layouts: SavedLayouts) => void;

  constructor(onChange: (layouts: SavedLayouts) => void) {
    this.#onChange = onChange;
  }

  /** The current layout differs from the saved one of its name. */
  readonly isChanged: boolean = $derived.by(() => {
    const base = this.saved.find(({ name }) => name === this.name)?.layout ?? defaultLayout;
    return !sameLayout(base, this.current);
  });

  /** The current layout, as stored in a run. */
  get inUse(): NamedLayout {
    return { ...(this.name !== undefined && { name: this.name }), layout: this.current };
  }

  /** Applies the saved settings. */
  restore(layouts: SavedLayouts | undefined): void {
    this.saved = layouts?.saved ?? [];
    this.current = layouts?.current?.layout ?? defaultLayout;
    this.name = layouts?.current?.name;
  }

  /** Offers the layout of a newly displayed run, unless it is the current one. */
  offer(layout: NamedLayout | undefined): void {
    this.offered = layout && !sameLayout(layout.layout, this.current) ? layout : undefined;
  }

  use({ name, layout }: NamedLayout): void {
    this.name = this.saved.some((each) => each.name === name) ? name : undefined;
    this.offered = undefined;
    this.#set(layout);
  }

  reset(): void {
    this.use({ layout: defaultLayout });
  }

  /** Saves the current layout under a name, replacing one of that name. */
  save(name: string): void {
    const trimmed = name.trim().slice(0, layoutBounds.nameLength);
    if (!trimmed) return;
    const others = this.saved.filter((each) => each.name !== trimmed);
    this.saved = [...others, { name: trimmed, layout: this.current }]
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
      .slice(0, layoutBounds.layouts);
    this.name = trimmed;
    this.#save();
  }

  /** Renames the current layout. */
  rename(name: string): void {
    const before = this.name;
    if (before !== undefined && before !== name.trim()) this.saved = this.saved.filter((each) => each.name !== before);
    this.save(name);
  }

  /** Deletes a saved layout; the displayed charts are unchanged. */
  delete(name: string): void {
    this.saved = this.saved.filter((each) => each.name !== name);
    if (this.name === name) this.name = undefined;
    this.#save();
  }

  putChart(chart: CustomChart): void {
    this.#set(withChart(this.current, chart));
  }

  move(shown: readonly ChartId[], id: ChartId, to: number): void {
    this.#set(moved(this.current, shown, id, to));
  }

  remove(id: ChartId): void {
    this.#set(removed(this.current, id));
  }

  show(id: ChartId): void {
    this.#set(folded(restored(this.current, id), id, false));
  }

  fold(id: ChartId, isFolded: boolean): void {
    this.#set(folded(this.current, id, isFolded));
  }

  band(ids: readonly ChartId[], isBanded: boolean): void {
    this.#set(banded(this.current, ids, isBanded));
  }

  #set(layout: ChartLayout): void {
    this.current = layout;
    this.#save();
  }

  #save(): void {
    const isPlain = this.name === undefined && isDefaultLayout(this.current);
    this.#onChange({
      ...(!isPlain && { current: this.inUse }),
      saved: [...this.saved],
    });
  }
}
