import type { RunSummary } from '../../domain/model/run';
import { describeRun } from '../../domain/compare/describeRun';
import { changedTags } from '../../domain/run/tags';
import type { Database } from './database';
import { changeRun } from './manifest';
import { metaJson, readMeta, soundMeta, writeMeta, type Kept } from './meta';
import { figuresOf } from './recover';
import type { UserDataChanges } from './types';

const nothingKept: Kept = { tags: [] };

/** What users have added to the run of this file. */
export function readSaved(database: Database): Kept {
  return soundMeta(database, 'kept') ?? nothingKept;
}

/** Changes what users have added; recorded data stays unchanged. */
export function changeUserData(database: Database, changes: UserDataChanges): void {
  const before = readSaved(database);
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

/** The union of two files of the same run: the tags of both, and both notes where they differ. */
export function mergedUserData(here: Kept, incoming: Kept): Kept {
  const notes = [here.note, incoming.note].filter((note) => note !== undefined);
  const [first, second] = notes;
  const note = second === undefined || first?.includes(second) ? first : `${first}\n\n${second}`;
  return {
    tags: [...changedTags(here.tags, { add: incoming.tags })],
    ...(note === undefined ? {} : { note }),
    // The baseline mark belongs to the library, not to the imported file.
    ...(here.isBaseline ? { isBaseline: true } : {}),
  };
}

/** A row of the list with what users have added. */
export function withUserData(summary: RunSummary, { tags, note, isBaseline }: Kept): RunSummary {
  return {
    ...summary,
    ...(tags.length > 0 ? { tags } : {}),
    ...(note === undefined ? {} : { note }),
    ...(isBaseline ? { isBaseline } : {}),
  };
}

/**
 * The row of the list from a run's file: its name may have changed since the summary, and older versions had fewer
 * columns.
 */
export function storedSummary(database: Database, id: string): RunSummary {
  const summary = soundMeta(database, 'summary') ?? figuresOf(database).summary(readMeta(database, 'view'), 0);
  const described = summary.planShape === undefined ? describeRun(readMeta(database, 'view')) : {};
  return withUserData({ ...summary, ...described, id, name: nameOf(database) ?? summary.name }, readSaved(database));
}

/** The name only, since parsing an entire view is slow with many streams and failures. */
function nameOf(database: Database): string | undefined {
  const view = metaJson(database, 'view');
  const name = typeof view === 'object' && view !== null && 'name' in view ? view.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
