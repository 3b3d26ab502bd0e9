import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { runSummary, runView } from '../../contract/schemas';
import { textAt, type Database } from './database';
import { writerMark } from './lock';

/** What people add to a run, apart from what was recorded. A file of an older version has none. */
const kept = z.object({
  tags: z.array(z.string()).default([]),
  note: z.string().optional(),
  isBaseline: z.boolean().optional(),
});
export type Kept = z.infer<typeof kept>;

/** What a run file says of itself, as JSON by key. `writer` is there only while somebody writes. */
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
} as const;

type MetaKey = keyof typeof metaSchemas;
export type Meta<K extends MetaKey> = z.infer<(typeof metaSchemas)[K]>;

export function writeMeta<K extends MetaKey>(database: Database, key: K, value: Meta<K>): void {
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, JSON.stringify(value));
}

export function removeMeta(database: Database, key: MetaKey): void {
  database.run('DELETE FROM meta WHERE key = ?', key);
}

/** A value that a file may lack. Throws `damaged-run` when it is there and does not fit. */
export function findMeta<K extends MetaKey>(database: Database, key: K): Meta<K> | undefined {
  const row = database.row('SELECT value FROM meta WHERE key = ?', key);
  if (!row) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(textAt(row, 0));
  } catch (error) {
    throw new FullhouseError('damaged-run', `The run file's "${key}" can't be read.`, { cause: error });
  }
  const parsed = metaSchemas[key].safeParse(json);
  if (!parsed.success)
    throw new FullhouseError('damaged-run', `The run file's "${key}" is not as it should be.`, {
      cause: parsed.error,
    });
  return parsed.data as Meta<K>;
}

/** A value that every file has. */
export function readMeta<K extends MetaKey>(database: Database, key: K): Meta<K> {
  const value = findMeta(database, key);
  if (value === undefined) throw new FullhouseError('damaged-run', `The run file lacks its "${key}".`);
  return value;
}
