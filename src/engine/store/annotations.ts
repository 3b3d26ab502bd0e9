import { z } from 'zod';
import { isTime } from './bounds';
import { annotationEvent, newerAnnotations, type Annotation } from '../../domain/annotation';
import type { RunEvent } from '../../domain/run';
import { numberAt, textAt, type Database } from './database';
import { changeRun } from './manifest';
import { ensureTable, hasTable, insertRow, noteDamaged, rowState, selectRows } from './rows';
import { tables } from './tables';

const stored: z.ZodType<Annotation> = z.object({
  uid: z.string(),
  timeMs: z.number().refine(isTime),
  author: z.string(),
  writtenBy: z.string(),
  text: z.string(),
  writtenMs: z.number(),
  editedMs: z.number().optional(),
  isRemoved: z.boolean().optional(),
});

/** Notes that people wrote to a run after it had ended: in a table of their own. Damaged ones are left out. */
function rows(database: Database): Array<{ readonly number: number; readonly annotation: Annotation }> {
  const table = tables.annotation;
  if (!hasTable(database, table)) return [];
  return database.rows(selectRows(database, table, 'ORDER BY id')).flatMap((row) => {
    if (rowState(database, table, row) === 'damaged') return [];
    try {
      return [{ number: numberAt(row, 0), annotation: stored.parse(JSON.parse(textAt(row, 2))) }];
    } catch {
      noteDamaged(database, table, row);
      return [];
    }
  });
}

/** All of them, the marks of removed ones included. */
export function readAnnotations(database: Database): Annotation[] {
  return rows(database).map(({ annotation }) => annotation);
}

/** Those that are there, as events of the run. */
export function annotationEvents(database: Database): RunEvent[] {
  return rows(database)
    .filter(({ annotation }) => annotation.isRemoved !== true)
    .map(({ annotation, number }) => annotationEvent(annotation, number));
}

/** Keeps annotations, new ones and new wordings; returns the event of the last one. */
export function keepAnnotations(
  database: Database,
  annotations: readonly Annotation[],
): RunEvent | undefined {
  if (annotations.length === 0) return undefined;
  // What somebody takes back is not to be found in the file's unused bytes either.
  database.exec('PRAGMA secure_delete = ON');
  changeRun(database, () => {
    ensureTable(database, tables.annotation);
    for (const annotation of annotations) {
      const known = database.row('SELECT id FROM annotation WHERE uid = ?', annotation.uid);
      const newest = database.row('SELECT coalesce(max(id), 0) FROM annotation');
      const id = known ? numberAt(known, 0) : numberAt(newest ?? [0], 0) + 1;
      insertRow(
        database,
        tables.annotation,
        [id, annotation.uid, JSON.stringify(annotation)],
        'INSERT OR REPLACE',
      );
    }
  });
  const last = annotations[annotations.length - 1];
  const kept = rows(database).find(({ annotation }) => annotation.uid === last?.uid);
  return kept && annotationEvent(kept.annotation, kept.number);
}

/** Gives the file that stays the notes of both; counts what came in, marks of removed notes not among what was added. */
export function joinAnnotations(
  here: Database,
  incoming: Database,
  stays: Database,
): { readonly added: number; readonly changed: number } {
  const [known, come] = [readAnnotations(here), readAnnotations(incoming)];
  const news = newerAnnotations(known, come);
  const old = newerAnnotations(come, known);
  const missing = stays === here ? news : old;
  keepAnnotations(stays, [...missing.added, ...missing.changed]);
  return {
    added: news.added.filter(({ isRemoved }) => isRemoved !== true).length,
    changed: news.changed.length,
  };
}
