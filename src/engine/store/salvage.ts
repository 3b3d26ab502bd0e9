import { copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { RunView } from '../../domain/run';
import { blockMs } from './block';
import { mostFileBytes } from './bounds';
import { Database, numberAt } from './database';
import { isCutOff, expectedBytes } from './fileHeader';
import { writerLives } from './lock';
import { changeRun } from './manifest';
import { readMeta, soundMeta, writeMeta } from './meta';
import { openRunFile } from './openRunFile';
import { rebuildRun, type RowChange } from './rebuild';
import { figuresOf, interruptedView, recoverRunFile } from './recover';
import { minuteOf } from './samples';
import { createTables } from './schema';

/** A run under way moves its log into its file about once a minute. */
const mostCopies = 5;
const besides = ['', '-wal', '-shm', '-journal'];

function remove(path: string): void {
  for (const beside of besides) rmSync(path + beside, { force: true });
}

/**
 * Writes the run of `source` into a new file at `path` (`rebuildRun`); `finish` may change it before it is settled. A
 * recording that breaks off is marked interrupted: the writer of the source does not write the copy. With `mayRun` it
 * stays one under way as long as that writer lives.
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
  // Without these there is no run; their sentences say why.
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
 * Writes what can be read of a run file from elsewhere into a new file at `target`, by way of a copy: SQLite may
 * write to what it opens. Of a file whose end is missing SQLite finds zeros instead, and says so for just the rows
 * that lay there; a minute lies in one place of the file, and those places follow each other as the run went on.
 * Throws `damaged-run` where not even the run's view and, of a cut file, one minute are there. The file at `path`
 * stays as it is.
 */
export function takeIn(path: string, target: string, name: string, mayRun = false): void {
  const raw = `${target}.raw`;
  try {
    const isCut = isCutOff(path, name);
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

/** Copies a file with its log. One that is written meanwhile is copied again: the two have to be of the same moment. */
function copyStill(path: string, raw: string): void {
  for (let tries = 1; ; tries += 1) {
    const { mtimeMs } = statSync(path);
    copyFileSync(path, raw);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${raw}-wal`);
    if (statSync(path).mtimeMs === mtimeMs || tries === mostCopies) return;
  }
}

function pad(raw: string, name: string): void {
  const expected = expectedBytes(raw);
  if (expected > mostFileBytes)
    throw new FullhouseError(
      'damaged-run',
      `${name} is damaged: it claims to be ${expected.toLocaleString('en')} bytes long.`,
    );
  truncateSync(raw, expected);
}

/** What was said of the whole run is not true of a part of it. */
function markCut(copy: Database, name: string): void {
  // All that was written is there: what is missing was not used.
  if (soundMeta(copy, 'manifest')?.isSettled === true && soundMeta(copy, 'lost') === undefined) return;
  const view = readMeta(copy, 'view');
  const minutes = numberAt(copy.row('SELECT count(*) FROM block') ?? [0], 0);
  if (minutes === 0) throw new Error('No minute of the run could be read.');
  const lastMs = view.endedMs ?? view.figures.timeMs;
  const all = Math.max(Math.round((minuteOf(lastMs) - minuteOf(view.startedMs)) / blockMs) + 1, minutes);
  const cut = cutView(view, `${name} was cut off: ${minutes} of ${all} minutes could be read.`);
  changeRun(copy, () => {
    writeMeta(copy, 'view', cut);
    writeMeta(copy, 'summary', figuresOf(copy).summary(cut, 0));
  });
}

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
