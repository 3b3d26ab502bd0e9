import { formatCount } from '../../domain/text/numberFormat';
import { copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { RunView } from '../../domain/model/run';
import { blockMs } from './block';
import { maxFileBytes } from './bounds';
import { Database, numberAt } from './database';
import { isTruncated, expectedBytes } from './fileHeader';
import { writerLives } from '../base/lock';
import { changeRun } from './manifest';
import { readMeta, soundMeta, writeMeta } from './meta';
import { openRunFile } from './openRunFile';
import { rebuildRun, type RowChange } from './rebuild';
import { figuresOf, interruptedView, recoverRunFile } from './recover';
import { minuteOf } from './samples';
import { createTables } from './schema';

/** An active run moves its log into its file about once a minute. */
const maxCopies = 5;
const besides = ['', '-wal', '-shm', '-journal'];

function remove(path: string): void {
  for (const beside of besides) rmSync(path + beside, { force: true });
}

/**
 * Writes the run of `source` into a new file at `path` (`rebuildRun`); `finish` may change it before it is settled. A
 * recording without an end is marked interrupted: the writer of the source does not write the copy. With `mayRun` it
 * stays active as long as that writer is alive.
 */
export function copyRun(
  source: Database,
  path: string,
  {
    change,
    finish,
    mayRun,
  }: {
    readonly change?: RowChange;
    readonly finish?: (copy: Database) => void;
    readonly mayRun?: boolean;
  } = {},
): void {
  // Without these it is not a run; their sentences contain the reason.
  readMeta(source, 'view');
  readMeta(source, 'identity');
  remove(path);
  const copy = new Database(path);
  try {
    copy.transaction(() => {
      createTables(copy);
      rebuildRun(source, copy, change);
    });
    finish?.(copy);
    const writer = soundMeta(copy, 'writer');
    if (mayRun === true && writer && writerLives(writer)) return;
    if (writer || readMeta(copy, 'view').state !== 'ended') recoverRunFile(copy);
  } finally {
    copy.close();
  }
}

/**
 * Writes what can be read of a run file from elsewhere into a new file at `target`, using a copy: SQLite may write to
 * what it opens. Where the end of a file is missing SQLite finds zeros instead, and reports that for exactly the rows
 * that were there; a minute is in one place of the file, and those places are in the order of the run. Throws
 * `damaged-run` if the run's view or, in a truncated file, at least one minute is missing. The file at `path` stays
 * unchanged.
 */
export function salvageFile(path: string, target: string, name: string, mayRun = false): void {
  const raw = `${target}.raw`;
  try {
    const isCut = isTruncated(path, name);
    copyStill(path, raw);
    if (isCut) pad(raw, name);
    const source = openRunFile(raw, name);
    try {
      copyRun(source, target, { finish: isCut ? (copy) => markCut(copy, name) : undefined, mayRun });
    } finally {
      source.close();
    }
  } catch (error) {
    remove(target);
    throw error;
  } finally {
    remove(raw);
  }
}

/** Copies a file with its log. If it is written meanwhile it is copied again: the two must be from the same time. */
function copyStill(path: string, raw: string): void {
  for (let tries = 1; ; tries += 1) {
    const { mtimeMs } = statSync(path);
    copyFileSync(path, raw);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${raw}-wal`);
    if (statSync(path).mtimeMs === mtimeMs || tries === maxCopies) return;
  }
}

function pad(raw: string, name: string): void {
  const expected = expectedBytes(raw);
  if (expected > maxFileBytes)
    throw new FullhouseError('damaged-run', `${name} is damaged: it claims to be ${formatCount(expected)} bytes long.`);
  truncateSync(raw, expected);
}

/** A verdict on the complete run does not apply to a part of it. */
function markCut(copy: Database, name: string): void {
  // All that was written exists: what is missing was not used.
  if (soundMeta(copy, 'manifest')?.isSettled === true && soundMeta(copy, 'lost') === undefined) return;
  const view = readMeta(copy, 'view');
  const minutes = numberAt(copy.row('SELECT count(*) FROM block') ?? [0], 0);
  if (minutes === 0) throw new Error('No minute of the run could be read.');
  const lastMs = view.endedMs ?? view.figures.timeMs;
  const all = Math.max(Math.round((minuteOf(lastMs) - minuteOf(view.startedMs)) / blockMs) + 1, minutes);
  const cut = cutView(view, `${name} was truncated: ${minutes} of ${all} minutes could be read.`);
  changeRun(copy, () => {
    writeMeta(copy, 'view', cut);
    writeMeta(copy, 'summary', figuresOf(copy).summary(cut, 0));
  });
}

function cutView(view: RunView, sentence: string): RunView {
  const ended = interruptedView({ ...view, state: 'stopping' }, view.endedMs ?? view.figures.timeMs);
  const verdict = { verdict: 'interrupted', reasons: [], headroom: [] } as const;
  return {
    ...ended,
    verdict: {
      ...verdict,
      sentence: `${sentence} It has no verdict; the complete file can be imported later.`,
    },
  };
}
