import { seriesDefinition, seriesDefinitions, type SeriesId, type SeriesSource } from './series';

/** One series in a selection list. */
export interface SeriesChoice<Id extends string = SeriesId> {
  readonly id: Id;
  readonly title: string;
  readonly unit: string;
  /** What is measured and over which time. */
  readonly meaning: string;
}

export interface SeriesGroup<Id extends string = SeriesId> {
  readonly title: string;
  readonly series: readonly SeriesChoice<Id>[];
}

/** Sources in display order, with their display names. */
const groupTitles: Readonly<Record<SeriesSource, string>> = {
  host: 'Host',
  process: 'Process',
  origin: 'Origin',
  audience: 'Viewers',
  player: 'Player',
};

/** All series with a fixed name; those of single cores, interfaces and servers come with the nodes that record them. */
export const namedSeries = Object.keys(seriesDefinitions) as readonly (keyof typeof seriesDefinitions)[];

/** The list entry of a series; undefined if it does not exist. */
export function seriesChoice<Id extends string>(id: Id): SeriesChoice<Id> | undefined {
  const found = seriesDefinition(id);
  return found && { id, title: found.title, unit: found.unit, meaning: found.meaning };
}

/** Series by source, each group sorted by title; without unknown names and empty groups. */
export function seriesGroups<Id extends string>(ids: Iterable<Id>): readonly SeriesGroup<Id>[] {
  const bySource = new Map<string, SeriesChoice<Id>[]>();
  for (const id of new Set(ids)) {
    const choice = seriesChoice(id);
    const source = seriesDefinition(id)?.source;
    if (choice && source) bySource.set(source, [...(bySource.get(source) ?? []), choice]);
  }
  return Object.entries(groupTitles).flatMap(([source, title]) => {
    const series = bySource.get(source);
    return series
      ? [{ title, series: series.sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true })) }]
      : [];
  });
}

/** The groups filtered by every word of a search: title, name in plans, unit or group. All of them without a search. */
export function searchedGroups<Id extends string>(
  groups: readonly SeriesGroup<Id>[],
  search: string,
): readonly SeriesGroup<Id>[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const series = group.series.filter(({ id, title, unit }) => {
      const text = `${title} ${id} ${unit} ${group.title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return series.length > 0 ? [{ ...group, series }] : [];
  });
}
