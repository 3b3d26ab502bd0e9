import { seriesDefinition, seriesDefinitions, type SeriesId, type SeriesSource } from './series';

/** One series where it is chosen from a list. */
export interface SeriesChoice<Id extends string = SeriesId> {
  readonly id: Id;
  readonly title: string;
  readonly unit: string;
  /** What is counted and over which time. */
  readonly meaning: string;
}

export interface SeriesGroup<Id extends string = SeriesId> {
  readonly title: string;
  readonly series: readonly SeriesChoice<Id>[];
}

/** The order in which sources are listed, and what people call them. */
const groupTitles: Readonly<Record<SeriesSource, string>> = {
  host: 'Host',
  process: 'Process',
  origin: 'Origin',
  audience: 'Viewers',
  player: 'Player',
};

/** All series that have a name of their own; those of single cores, interfaces and servers come with the nodes that record them. */
export const namedSeries = Object.keys(seriesDefinitions) as readonly (keyof typeof seriesDefinitions)[];

/** What a list says of a series; undefined when there is none of this name. */
export function seriesChoice<Id extends string>(id: Id): SeriesChoice<Id> | undefined {
  const found = seriesDefinition(id);
  return found && { id, title: found.title, unit: found.unit, meaning: found.meaning };
}

/** Series by who measures them, each group sorted by title; unknown names and empty groups are left out. */
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

/** The groups with what fits every word of a search: title, name in plans, unit or group. All of them while nothing is searched. */
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
