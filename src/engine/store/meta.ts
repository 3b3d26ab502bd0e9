import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { runSummary, runView } from '../../contract/schemas';
import type { RunView } from '../../domain/run';
import { isTime, longestRunMs } from './bounds';
import { textAt, type Database } from './database';
import { writerMark } from './lock';
import { insertRow, rowState, selectRows } from './rows';
import { tables } from './tables';

/** What people add to a run, apart from what was recorded. A file of an older version has none. */
const kept = z.object({
  tags: z.array(z.string()).default([]),
  note: z.string().optional(),
  isBaseline: z.boolean().optional(),
});
export type Kept = z.infer<typeof kept>;

/** What a run file says of itself, as JSON by key. `writer` is there only while the run is written. */
const metaSchemas = {
  view: runView,
  summary: runSummary,
  kept,
  engine: z.object({ version: z.string() }),
  /** Random, made once: two files with the same one are recordings of the same run. */
  identity: z.string().min(8),
  writer: writerMark,
  /** There in a copy without what tells who the customer is: the kinds that it keeps nevertheless. */
  redacted: z.object({ keeps: z.array(z.string()) }),
  /**
   * There in a file whose every row was written with a checksum; settled when the run has ended. Per table how many
   * rows there are and the sum of their checksums, so that lost and doubled rows are noticed.
   */
  manifest: z.object({
    isSettled: z.boolean(),
    tables: z.record(z.string(), z.object({ rows: z.number().int(), sum: z.number().int() })),
  }),
  /** There in a copy of a damaged file: the minutes and how many other rows it lacks. */
  lost: z.object({ minutes: z.array(z.number().int()), rows: z.record(z.string(), z.number().int()) }),
} as const;

export type MetaKey = keyof typeof metaSchemas;
export const metaKeys = Object.keys(metaSchemas) as readonly MetaKey[];
export type Meta<K extends MetaKey> = z.infer<(typeof metaSchemas)[K]>;

export function writeMeta<K extends MetaKey>(database: Database, key: K, value: Meta<K>): void {
  insertRow(database, tables.meta, [key, JSON.stringify(value)], 'INSERT OR REPLACE');
}

export function removeMeta(database: Database, key: MetaKey): void {
  database.run('DELETE FROM meta WHERE key = ?', key);
}

/** A value that a file may lack. Throws `damaged-run` when it is there and is not what was written, or does not fit. */
export function findMeta<K extends MetaKey>(database: Database, key: K): Meta<K> | undefined {
  const json = metaJson(database, key);
  if (json === undefined) return undefined;
  const parsed = metaSchemas[key].safeParse(json);
  if (!parsed.success)
    throw new FullhouseError('damaged-run', `The run file's "${key}" is not as it should be.`, {
      cause: parsed.error,
    });
  if (key === 'view' || key === 'summary') assertTimes(parsed.data as Times);
  return parsed.data as Meta<K>;
}

/** The same as plain JSON, for who needs little of it: a view can be large. */
export function metaJson(database: Database, key: MetaKey): unknown {
  const row = database.row(selectRows(database, tables.meta, 'WHERE key = ?'), key);
  if (!row) return undefined;
  try {
    if (rowState(database, tables.meta, row) === 'damaged')
      throw new Error('Its checksum is not that of its content.');
    return JSON.parse(textAt(row, 1)) as unknown;
  } catch (error) {
    throw new FullhouseError('damaged-run', `The run file's "${key}" can't be read.`, { cause: error });
  }
}

/** A value that every file has. */
export function readMeta<K extends MetaKey>(database: Database, key: K): Meta<K> {
  const value = findMeta(database, key);
  if (value === undefined) throw new FullhouseError('damaged-run', `The run file lacks its "${key}".`);
  return value;
}

/** A value without which a run is still a run: undefined also where it is damaged, which `integrity` tells. */
export function soundMeta<K extends MetaKey>(database: Database, key: K): Meta<K> | undefined {
  try {
    return findMeta(database, key);
  } catch {
    return undefined;
  }
}

type Times = Pick<RunView, 'startedMs' | 'endedMs' | 'endsMs'> & Partial<Pick<RunView, 'phases' | 'figures'>>;

/** Charts and reports walk from the start of a run to its end, so these are bounded. */
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
    'The run file claims times that no run has: before 1970, after 2100, or more than 366 days after its start.',
  );
}
