import type { ChartId, CustomChartId } from '../chartSpec';
import type { SeriesId } from '../series';

/** A chart that a person put together. Data only, so that it can be saved, sent along in a run file and drawn anywhere. */
export interface CustomChart {
  readonly id: CustomChartId;
  readonly title: string;
  /** All of one unit. */
  readonly series: readonly SeriesId[];
  /** Ids of the nodes that it shows; absent: every node that records one of the series. */
  readonly nodes?: readonly string[];
}

/** How the charts are arranged. What it does not name stands after what it names, in the default order. */
export interface ChartLayout {
  readonly order: readonly ChartId[];
  readonly custom: readonly CustomChart[];
  readonly hidden: readonly ChartId[];
  /** Shown as a line instead of a card. */
  readonly folded: readonly ChartId[];
}

/** A layout under the name that a person gave it; the default layout has none. */
export interface NamedLayout {
  readonly name?: string;
  readonly layout: ChartLayout;
}

export const defaultLayout: ChartLayout = { order: [], custom: [], hidden: [], folded: [] };

/** Bounds of what a layout holds, for its schema and for the dialogs. */
export const layoutBounds = {
  charts: 100,
  seriesOfChart: 64,
  nodesOfChart: 200,
  titleLength: 80,
  nameLength: 60,
  layouts: 50,
} as const;

export function isDefaultLayout(layout: ChartLayout): boolean {
  return sameLayout(layout, defaultLayout);
}

export function sameLayout(a: ChartLayout, b: ChartLayout): boolean {
  return (['order', 'custom', 'hidden', 'folded'] as const).every(
    (part) => JSON.stringify(a[part]) === JSON.stringify(b[part]),
  );
}

/** Charts in the order of a layout, without those that it hides. */
export function arranged<T extends { readonly id: ChartId }>(
  charts: readonly T[],
  { order, hidden }: ChartLayout,
): readonly T[] {
  const shown = charts.filter(({ id }) => !hidden.includes(id));
  const named = order.flatMap((id) => shown.find((chart) => chart.id === id) ?? []);
  return [...named, ...shown.filter((chart) => !named.includes(chart))];
}

/** Puts a chart at another place among those that are shown. */
export function moved(layout: ChartLayout, shown: readonly ChartId[], id: ChartId, to: number): ChartLayout {
  if (!shown.includes(id)) return layout;
  const others = shown.filter((each) => each !== id);
  const at = Math.min(others.length, Math.max(0, to));
  const order = [...others.slice(0, at), id, ...others.slice(at)];
  // Charts that this run does not have keep their place among each other.
  return { ...layout, order: [...order, ...layout.order.filter((each) => !shown.includes(each))] };
}

/** Takes a chart away: a custom one for good, any other until it is shown again. */
export function removed(layout: ChartLayout, id: ChartId): ChartLayout {
  const without = (ids: readonly ChartId[]): readonly ChartId[] => ids.filter((each) => each !== id);
  const isCustom = layout.custom.some((chart) => chart.id === id);
  return {
    order: without(layout.order),
    custom: layout.custom.filter((chart) => chart.id !== id),
    hidden: isCustom ? without(layout.hidden) : [...without(layout.hidden), id],
    folded: without(layout.folded),
  };
}

/** Shows a chart again that was taken away, after the others. */
export function restored(layout: ChartLayout, id: ChartId): ChartLayout {
  return { ...layout, hidden: layout.hidden.filter((each) => each !== id) };
}

/** Folds a chart to a line, or unfolds it. */
export function folded(layout: ChartLayout, id: ChartId, isFolded: boolean): ChartLayout {
  const others = layout.folded.filter((each) => each !== id);
  return { ...layout, folded: isFolded ? [...others, id] : others };
}

/** Adds a chart, or puts it in the place of the one with its id. */
export function withChart(layout: ChartLayout, chart: CustomChart): ChartLayout {
  const isKnown = layout.custom.some(({ id }) => id === chart.id);
  return {
    ...layout,
    custom: isKnown
      ? layout.custom.map((each) => (each.id === chart.id ? chart : each))
      : [...layout.custom, chart],
  };
}

/** An id that no chart of the layout has. */
export function freeChartId({ custom }: ChartLayout): CustomChartId {
  const taken = new Set(custom.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!taken.has(`custom:${number}`)) return `custom:${number}`;
}
