import type { SavedLayouts } from '../../contract/layoutSchemas';
import type { ChartId } from '../../domain/chartSpec';
import {
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
} from '../../domain/layout/chartLayout';

type Saved = SavedLayouts['saved'][number];

/**
 * How the charts are arranged: the layout in use, and those that a person saved under a name. Every change is saved by the
 * app at once; a named layout changes only by `save`.
 */
export class Layouts {
  current = $state.raw<ChartLayout>(defaultLayout);
  /** Name of the saved layout that `current` began as; absent for the default one. */
  name = $state.raw<string>();
  saved = $state.raw<readonly Saved[]>([]);
  /** A layout that came with the run on the screen and was not answered yet. */
  offered = $state.raw<NamedLayout>();
  readonly #onChange: (layouts: SavedLayouts) => void;

  constructor(onChange: (layouts: SavedLayouts) => void) {
    this.#onChange = onChange;
  }

  /** The layout in use differs from the one that has its name. */
  readonly isChanged: boolean = $derived.by(() => {
    const base = this.saved.find(({ name }) => name === this.name)?.layout ?? defaultLayout;
    return !sameLayout(base, this.current);
  });

  /** The layout in use, as a run keeps it. */
  get inUse(): NamedLayout {
    return { ...(this.name !== undefined && { name: this.name }), layout: this.current };
  }

  /** Takes over what the app remembered. */
  restore(layouts: SavedLayouts | undefined): void {
    this.saved = layouts?.saved ?? [];
    this.current = layouts?.current?.layout ?? defaultLayout;
    this.name = layouts?.current?.name;
  }

  /** A run came on the screen: its layout is offered unless it is the one in use. */
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

  /** Saves the layout in use under a name; one of this name is replaced. */
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

  /** Gives the layout in use another name. */
  rename(name: string): void {
    const before = this.name;
    if (before !== undefined && before !== name.trim())
      this.saved = this.saved.filter((each) => each.name !== before);
    this.save(name);
  }

  /** Forgets a saved layout; the charts on the screen stay as they are. */
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
