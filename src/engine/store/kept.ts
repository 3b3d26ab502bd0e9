import type { RunSummary } from '../../domain/run';
import { describeRun } from '../../domain/compare/describeRun';
import { changedTags } from '../../domain/tags';
import type { Database } from './database';
import { changeRun } from './manifest';
import { metaJson, readMeta, soundMeta, writeMeta, type Kept } from './meta';
import { figuresOf } from './recover';
import type { KeptChanges } from './types';

const nothingKept: Kept = { tags: [] };

/** What people have added to the run of this file. */
export function readKept(database: Database): Kept {
  return soundMeta(database, 'kept') ?? nothingKept;
}

/** Changes what people have added; what was recorded stays as it is. */
export function changeKept(database: Database, changes: KeptChanges): void {
  const before = readKept(database);
  const note = changes.note === undefined ? before.note : changes.note.trim();
  const isBaseline = changes.isBaseline ?? before.isBaseline;
  changeRun(database, () =>
    writeMeta(database, 'kept', {
      tags: [...changedTags(before.tags, { add: changes.addTags, remove: changes.removeTags })],
      ...(note ? { note } : {}),
      ...(isBaseline ? { isBaseline } : {}),
    }),
  );
}

/** What two files of the same run say together: the tags of both, and both notes where they differ. */
export function mergedKept(here: Kept, incoming: Kept): Kept {
  const notes = [here.note, incoming.note].filter((note) => note !== undefined);
  const [first, second] = notes;
  const note = second === undefined || first?.includes(second) ? first : `${first}\n\n${second}`;
  return {
    tags: [...changedTags(here.tags, { add: incoming.tags })],
    ...(note === undefined ? {} : { note }),
    // Which run is a baseline is a matter of the library that it came into.
    ...(here.isBaseline ? { isBaseline: true } : {}),
  };
}

/** A row of the list with what people have added. */
export function withKept(summary: RunSummary, { tags, note, isBaseline }: Kept): RunSummary {
  return {
    ...summary,
    ...(tags.length > 0 ? { tags } : {}),
    ...(note === undefined ? {} : { note }),
    ...(isBaseline ? { isBaseline } : {}),
  };
}

/** The row of the list from a run's file: its name may have changed since it was summed up, and older versions said less. */
export function storedSummary(database: Database, id: string): RunSummary {
  const summary =
    soundMeta(database, 'summary') ?? figuresOf(database).summary(readMeta(database, 'view'), 0);
  const described = summary.planShape === undefined ? describeRun(readMeta(database, 'view')) : {};
  return withKept(
    { ...summary, ...described, id, name: nameOf(database) ?? summary.name },
    readKept(database),
  );
}

/** The name alone, since to check a whole view takes long where it has many streams and failures. */
function nameOf(database: Database): string | undefined {
  const view = metaJson(database, 'view');
  const name = typeof view === 'object' && view !== null && 'name' in view ? view.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
