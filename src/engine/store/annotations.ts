import { annotationEvent, type Annotation } from '../../domain/run/annotation';
import type { RunEvent } from '../../domain/model/run';
import { numberAt, type Database } from './database';
import { savedAnnotation } from './format/rows';
import { changeRun } from './manifest';
import { ensureTable, hasTable, insertRow, noteDamaged, rowState, rowValues, selectRows } from './rows';
import { tables } from './tables';

/** Notes that users added to a run after its end: in a separate table. Damaged ones are left out. */
function rows(database: Database): Array<{ readonly number: number; readonly annotation: Annotation }> {
  const table = tables.annotation;
  if (!hasTable(database, table)) return [];
  return database.rows(selectRows(database, table, 'ORDER BY id')).flatMap((row) => {
    if (rowState(database, table, row) === 'damaged') return [];
    try {
      const annotation = savedAnnotation.parse(JSON.parse(String(rowValues(database, table, row)[2])));
      return [{ number: numberAt(row, 0), annotation }];
    } catch {
      noteDamaged(database, table, row);
      return [];
    }
  });
}

/** All of them, including the marks of removed ones. */
export function readAnnotations(database: Database): Annotation[] {
  return rows(database).map(({ annotation }) => annotation);
}

/** The existing ones, as events of the run. */
export function annotationEvents(database: Database): RunEvent[] {
  return rows(database)
    .filter(({ annotation }) => annotation.isRemoved !== true)
    .map(({ annotation, number }) => annotationEvent(annotation, number));
}

/** Saves annotations, new ones and edits; returns the event of the last one. */
export function saveAnnotations(database: Database, annotations: readonly Annotation[]): RunEvent | undefined {
  if (annotations.length === 0) return undefined;
  // Removed text must not remain in the file's unused bytes either.
  database.exec('PRAGMA secure_delete = ON');
  changeRun(database, () => {
    ensureTable(database, tables.annotation);
    for (const annotation of annotations) {
      const known = database.row('SELECT id FROM annotation WHERE uid = ?', annotation.uid);
      const newest = database.row('SELECT coalesce(max(id), 0) FROM annotation');
      const id = known ? numberAt(known, 0) : numberAt(newest ?? [0], 0) + 1;
      insertRow(database, tables.annotation, [id, annotation.uid, JSON.stringify(annotation)], 'INSERT OR REPLACE');
    }
  });
  const last = annotations[annotations.length - 1];
  const row = rows(database).find(({ annotation }) => annotation.uid === last?.uid);
  return row && annotationEvent(row.annotation, row.number);
}
