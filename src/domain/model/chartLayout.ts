import type { ChartId, CustomChartId } from './chartIds';
import type { SeriesId } from '../series/series';

/** A user-defined chart. Data only, so that it can be saved, stored in a run file and drawn anywhere. */
export interface CustomChart {
  readonly id: CustomChartId;
  readonly title: string;
  /** All of the same unit. */
  readonly series: readonly SeriesId[];
  /** Ids of the nodes that it shows; absent: every node that records one of the series. */
  readonly nodes?: readonly string[];
}

/** The arrangement of the charts. Charts that it does not name follow in the default order. */
export interface ChartLayout {
  readonly order: readonly ChartId[];
  readonly custom: readonly CustomChart[];
  readonly hidden: readonly ChartId[];
  /** Shown as a line instead of a card. */
  readonly folded: readonly ChartId[];
  /** Drawn as mean and band where they have many lines; absent: none. */
  readonly banded?: readonly ChartId[];
}

/** A named layout; the default layout has no name. */
export interface NamedLayout {
  readonly name?: string;
  readonly layout: ChartLayout;
}

export const defaultLayout: ChartLayout = { order: [], custom: [], hidden: [], folded: [] };

/** Bounds of a layout, for its schema and the dialogs. */
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
  return (['order', 'custom', 'hidden', 'folded', 'banded'] as const).every(
    (part) => JSON.stringify(a[part] ?? []) === JSON.stringify(b[part] ?? []),
  );
}

/** Charts in the order of a layout, without hidden ones. */
export function arranged<T extends { readonly id: ChartId }>(
  charts: readonly T[],
  { order, hidden }: ChartLayout,
): readonly T[] {
  const shownCharts = charts.filter(({ id }) => !hidden.includes(id));
  const named = order.flatMap((id) => shownCharts.find((chart) => chart.id === id) ?? []);
  return [...named, ...shownCharts.filter((chart) => !named.includes(chart))];
}

/** Moves a chart among the visible ones. */
export function moved(layout: ChartLayout, shown: readonly ChartId[], id: ChartId, to: number): ChartLayout {
  if (!shown.includes(id)) return layout;
  const others = shown.filter((chart) => chart !== id);
  const at = Math.min(others.length, Math.max(0, to));
  const order = [...others.slice(0, at), id, ...others.slice(at)];
  // Charts that this run does not have keep their relative order.
  return { ...layout, order: [...order, ...layout.order.filter((chart) => !shown.includes(chart))] };
}

/** Removes a chart: deletes a custom one, hides any other. */
export function removed(layout: ChartLayout, id: ChartId): ChartLayout {
  const without = (ids: readonly ChartId[]): readonly ChartId[] => ids.filter((each) => each !== id);
  const isCustom = layout.custom.some((chart) => chart.id === id);
  return {
    order: without(layout.order),
    custom: layout.custom.filter((chart) => chart.id !== id),
    hidden: isCustom ? without(layout.hidden) : [...without(layout.hidden), id],
    folded: without(layout.folded),
    ...(layout.banded && { banded: without(layout.banded) }),
  };
}

/** Shows a hidden chart again, after the others. */
export function restored(layout: ChartLayout, id: ChartId): ChartLayout {
  return { ...layout, hidden: layout.hidden.filter((chart) => chart !== id) };
}

/** Collapses a chart to a line, or expands it. */
export function folded(layout: ChartLayout, id: ChartId, isFolded: boolean): ChartLayout {
  const others = layout.folded.filter((chart) => chart !== id);
  return { ...layout, folded: isFolded ? [...others, id] : others };
}

/** Draws charts of many lines as mean and band, or as all their lines. */
export function banded(layout: ChartLayout, ids: readonly ChartId[], isBanded: boolean): ChartLayout {
  const others = (layout.banded ?? []).filter((chart) => !ids.includes(chart));
  return { ...layout, banded: isBanded ? [...others, ...ids] : others };
}

/** Adds a chart, or replaces the one with its id. */
export function withChart(layout: ChartLayout, chart: CustomChart): ChartLayout {
  const isKnown = layout.custom.some(({ id }) => id === chart.id);
  return {
    ...layout,
    custom: isKnown
      ? layout.custom.map((custom) => (custom.id === chart.id ? chart : custom))
      : [...layout.custom, chart],
  };
}

/** An unused chart id. */
export function freeChartId({ custom }: ChartLayout): CustomChartId {
  const taken = new Set(custom.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!taken.has(`custom:${number}`)) return `custom:${number}`;
}
