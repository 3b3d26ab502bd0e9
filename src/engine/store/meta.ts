import { FullhouseError } from '../../contract/calls';
import type { RunView } from '../../domain/model/run';
import { isTime, longestRunMs } from './bounds';
import type { Database } from './database';
import { metaSchemas, type Meta, type MetaKey } from './format/meta';
import { insertRow, rowState, rowValues, selectRows } from './rows';
import { tables } from './tables';

export type { Kept, Meta, MetaKey } from './format/meta';

export function writeMeta<K extends MetaKey>(database: Database, key: K, value: Meta<K>): void {
  insertRow(database, tables.meta, [key, JSON.stringify(value)], 'INSERT OR REPLACE');
}

export function removeMeta(database: Database, key: MetaKey): void {
  database.run('DELETE FROM meta WHERE key = ?', key);
}

/** An optional value. Throws `damaged-run` when it exists and is not what was written, or does not fit. */
function findMeta<K extends MetaKey>(database: Database, key: K): Meta<K> | undefined {
  const json = metaJson(database, key);
  if (json === undefined) return undefined;
  const parsed = metaSchemas[key].safeParse(json);
  if (!parsed.success)
    throw new FullhouseError('damaged-run', `"${key}" in the run file is invalid.`, {
      cause: parsed.error,
    });
  if (key === 'view' || key === 'summary') assertTimes(parsed.data as Times);
  return parsed.data as Meta<K>;
}

/** The value as plain JSON, if only a part is needed: a view can be large. */
export function metaJson(database: Database, key: MetaKey): unknown {
  const row = database.row(selectRows(database, tables.meta, 'WHERE key = ?'), key);
  if (!row) return undefined;
  try {
    if (rowState(database, tables.meta, row) === 'damaged') throw new Error('Its checksum does not match its content.');
    return JSON.parse(String(rowValues(database, tables.meta, row)[1])) as unknown;
  } catch (error) {
    throw new FullhouseError('damaged-run', `"${key}" in the run file can't be read.`, { cause: error });
  }
}

/** A value that every file has. */
export function readMeta<K extends MetaKey>(database: Database, key: K): Meta<K> {
  const value = findMeta(database, key);
  if (value === undefined) throw new FullhouseError('damaged-run', `"${key}" is missing in the run file.`);
  return value;
}

/** An optional value; undefined also where it is damaged, which `integrity` reports. */
export function soundMeta<K extends MetaKey>(database: Database, key: K): Meta<K> | undefined {
  try {
    return findMeta(database, key);
  } catch {
    return undefined;
  }
}

type Times = Pick<RunView, 'startedMs' | 'endedMs' | 'endsMs'> & Partial<Pick<RunView, 'phases' | 'figures'>>;

/** Charts and reports iterate from the start of a run to its end, so these are limited. */
function assertTimes({ startedMs, endedMs, endsMs, phases = [], figures }: Times): void {
  const times = [
    startedMs,
    endedMs,
    endsMs,
    figures?.timeMs,
    ...phases.flatMap(({ startMs, endMs }) => [startMs, endMs]),
  ].filter((time) => time !== undefined);
  if (times.every((time) => isTime(Math.round(time)) && time - startedMs <= longestRunMs)) return;
  throw new FullhouseError(
    'damaged-run',
    'The run file contains times that are impossible: before 1970, after 2100, or more than 366 days after its start.',
  );
}
