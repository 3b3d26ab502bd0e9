import type { ChartSpec } from '../../domain/charts/charts';
import { layoutBounds, type CustomChart } from '../../domain/model/chartLayout';
import { sharesAxis } from '../../domain/charts/layout/customChart';
import type { NodeView } from '../../domain/model/node';
import { seriesDefinition, type SeriesId } from '../../domain/series/series';
import { namedSeries, seriesGroups, type SeriesGroup } from '../../domain/series/seriesGroups';
import type { SampleStore } from './sampleStore';

/** Initial state of the dialog: a chart, or series for a new one. */
export type ChartDraft = CustomChart | Pick<CustomChart, 'id' | 'series'>;

/** One node that records a series, with its last value. */
export interface Recording {
  readonly node: NodeView;
  readonly value: number;
}

/** Nodes by recorded series. */
export function recordings(
  store: SampleStore,
  nodes: readonly NodeView[],
): ReadonlyMap<SeriesId, readonly Recording[]> {
  const found = new Map<SeriesId, Recording[]>();
  for (const { node: id, series } of store.measured()) {
    const node = nodes.find((node) => node.id === id);
    const sample = store.latest(id, series);
    if (!node || !sample) continue;
    found.set(series, [...(found.get(series) ?? []), { node, value: sample.value }]);
  }
  const place = new Map(nodes.map(({ id }, at) => [id, at]));
  for (const each of found.values()) each.sort((a, b) => (place.get(a.node.id) ?? 0) - (place.get(b.node.id) ?? 0));
  return found;
}

/** All series in groups, including unrecorded ones. */
export function allSeries(recorded: Iterable<SeriesId>): readonly SeriesGroup[] {
  return seriesGroups<SeriesId>([...recorded, ...namedSeries]);
}

/** Default title of a chart. */
export function suggestedTitle(series: readonly SeriesId[]): string {
  const titles = [...new Set(series.map((each) => seriesDefinition(each)?.title ?? each))];
  return titles.join(', ').slice(0, layoutBounds.titleLength);
}

/** Whether a series can be added to the chosen ones: one axis has one unit. */
export function fitsChart(chosen: readonly SeriesId[], series: SeriesId): boolean {
  const [first] = chosen;
  if (chosen.includes(series)) return true;
  return chosen.length < layoutBounds.seriesOfChart && (first === undefined || sharesAxis(first, series));
}

/** The series of a chart, as a start for a custom one. */
export function seriesOfChart({ panels }: ChartSpec): readonly SeriesId[] {
  const all = panels.flatMap(({ traces }) => traces.flatMap(({ inputs }) => inputs.map(({ series }) => series)));
  return [...new Set(all)].filter((series) => fitsChart(all.slice(0, 1), series));
}

/** The chart defined by the dialog's fields; undefined if incomplete. */
export function chartOf(
  id: CustomChart['id'],
  title: string,
  series: readonly SeriesId[],
  nodes: readonly string[] | undefined,
): CustomChart | undefined {
  if (series.length === 0 || nodes?.length === 0) return undefined;
  return {
    id,
    title: title.trim().slice(0, layoutBounds.titleLength) || suggestedTitle(series),
    series,
    ...(nodes && { nodes }),
  };
}
