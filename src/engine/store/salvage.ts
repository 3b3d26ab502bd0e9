import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import type { RunView } from '../../domain/run';
import { blockMs, decodeBlock } from './block';
import { bytesAt, Database, textAt, type Row } from './database';
import { expectedBytes } from './fileHeader';
import { writeMeta, readMeta } from './meta';
import { interruptedView, recoverRunFile } from './recover';
import { minuteOf } from './samples';
import { applicationId, schemaVersion } from './schema';

/** Derived from the samples, which are fewer now. */
const derived = new Set(['overview', 'figures']);
const rowsAtOnce = 100;

/**
 * Gets what can be read out of a run file whose end is missing, into a new file at `target`. A minute lies in one place of the file, and
 * those places follow each other as the run went on: of half a file about half of the run can be read. False when not even the run's view
 * and one minute are there; `target` is then gone again. The file at `path` stays as it is.
 */
export function salvageCutFile(path: string, target: string, name: string): boolean {
  const padded = `${target}.padded`;
  try {
    copyFileSync(path, padded);
    // Where pages are missing SQLite finds zeros, and says so for just the rows that lay there.
    truncateSync(padded, expectedBytes(padded));
    const source = new Database(padded);
    const into = new Database(target);
    try {
      const saved = copyReadable(source, into, name);
      if (saved) recoverRunFile(into);
      return saved;
    } finally {
      source.close();
      into.close();
    }
  } catch {
    rmSync(target, { force: true });
    return false;
  } finally {
    for (const beside of ['', '-wal', '-shm', '-journal']) rmSync(padded + beside, { force: true });
  }
}

/** Throws when the very beginning of the file can't be read. */
function copyReadable(source: Database, into: Database, name: string): boolean {
  const view = readMeta(source, 'view');
  into.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  const tables = source.rows(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  let minutes = 0;
  const { first, last } = span(view);
  into.transaction(() => {
    for (const table of tables) {
      if (derived.has(textAt(table, 0))) continue;
      into.exec(textAt(table, 1));
      if (textAt(table, 0) !== 'block') copyTable(source, into, textAt(table, 0));
    }
    for (let minuteMs = first; minuteMs <= last; minuteMs += blockMs)
      if (copyMinute(source, into, minuteMs)) minutes += 1;
    const all = Math.round((last - first) / blockMs) + 1;
    writeMeta(
      into,
      'view',
      cutView(view, `${name} was cut off: ${minutes} of ${all} minutes could be read.`),
    );
  });
  return minutes > 0;
}

function span(view: RunView): { first: number; last: number } {
  const lastMs = view.endedMs ?? view.figures.timeMs;
  return { first: minuteOf(view.startedMs), last: Math.max(minuteOf(lastMs), minuteOf(view.startedMs)) };
}

/** What was said of the whole run is not true of a part of it. */
function cutView(view: RunView, sentence: string): RunView {
  const ended = interruptedView({ ...view, state: 'stopping' }, view.endedMs ?? view.figures.timeMs);
  const verdict = { verdict: 'interrupted', reasons: [], room: [] } as const;
  return {
    ...ended,
    verdict: {
      ...verdict,
      sentence: `${sentence} Nothing is judged by them; the whole file can be imported later.`,
    },
  };
}

/** Rows up to the first that can't be read. */
function copyTable(source: Database, into: Database, name: string): void {
  let insert = '';
  const keep = (row: Row): void => {
    insert ||= `INSERT OR IGNORE INTO "${name}" VALUES (${row.map(() => '?').join(', ')})`;
    into.run(insert, ...row);
  };
  for (let offset = 0, step = rowsAtOnce; ;) {
    try {
      const rows = source.rows(`SELECT * FROM "${name}" LIMIT ? OFFSET ?`, step, offset);
      rows.forEach(keep);
      if (rows.length < step) return;
      offset += step;
    } catch {
      if (step === 1) return;
      step = 1;
    }
  }
}

function copyMinute(source: Database, into: Database, minuteMs: number): boolean {
  try {
    const row = source.row('SELECT samples, data FROM block WHERE minute_ms = ?', minuteMs);
    if (!row) return false;
    const data = bytesAt(row, 1);
    // A page of zeros in the middle of a minute is found by unpacking it.
    decodeBlock(minuteMs, data);
    into.run('INSERT INTO block (minute_ms, samples, data) VALUES (?, ?, ?)', minuteMs, Number(row[0]), data);
    return true;
  } catch {
    return false;
  }
}
