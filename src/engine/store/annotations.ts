import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { annotationEvent, newerAnnotations, type Annotation } from '../../domain/annotation';
import type { RunEvent } from '../../domain/run';
import { numberAt, textAt, type Database } from './database';

/** Notes that people wrote to a run after it had ended: in a table of their own, which older versions pass over. */
const annotationSql =
  'CREATE TABLE IF NOT EXISTS annotation (id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, value TEXT NOT NULL)';

const stored: z.ZodType<Annotation> = z.object({
  uid: z.string(),
  timeMs: z.number(),
  author: z.string(),
  writtenBy: z.string(),
  text: z.string(),
  writtenMs: z.number(),
  editedMs: z.number().optional(),
  isRemoved: z.boolean().optional(),
});

function rows(database: Database): Array<{ readonly number: number; readonly annotation: Annotation }> {
  if (!database.row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'annotation'")) return [];
  return database.rows('SELECT id, value FROM annotation ORDER BY id').map((row) => {
    try {
      return { number: numberAt(row, 0), annotation: stored.parse(JSON.parse(textAt(row, 1))) };
    } catch (error) {
      throw new FullhouseError('damaged-run', 'A note of the run file is not as it should be.', {
        cause: error,
      });
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
  database.transaction(() => {
    database.exec(annotationSql);
    for (const annotation of annotations)
      database.run(
        'INSERT INTO annotation (uid, value) VALUES (?, ?) ON CONFLICT (uid) DO UPDATE SET value = excluded.value',
        annotation.uid,
        JSON.stringify(annotation),
      );
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
