import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runId } from '../../domain/model/schema';
import { runSummary, type RunId, type RunSummary } from '../../domain/model/run';
import { errorText } from '../../domain/text/errorText';
import { log } from '../base/log';
import { runFormat } from './format/steps';

/** A row of the list, and the state of its file that it was read from. */
export interface KnownSummary {
  readonly stamp: string;
  readonly summary: RunSummary;
}

/** Below it, opening each file takes less than a second. */
const minRuns = 100;
/** A larger index is not one of this program, or of a million runs. */
const maxBytes = 256_000_000;
/** Rows that are written at once. */
const batchRows = 500;

const name = '.runs-index';
/** Rows of another version have other columns. */
const head = JSON.stringify({ index: 1, format: runFormat });
const row = z.object({ id: runId, stamp: z.string().min(1), summary: runSummary });

/**
 * The rows of a folder's list in one file beside the runs, so that a later list opens only the files that have changed.
 * A run's file stays the truth: a row counts while the size and time of its file are those that it was read from.
 * Whatever is damaged, missing or of another version is read again. Appended to: several processes may do so, and a
 * line that two of them have mixed is damaged.
 */
export class SummaryIndex {
  private readonly path: string;
  private pending: string[] = [];
  private lines = 0;
  private isUsable = false;

  constructor(folder: string) {
    this.path = join(folder, name);
  }

  /** Whether a folder of so many runs has one. */
  static isFor(runs: number): boolean {
    return runs >= minRuns;
  }

  read(): Map<RunId, KnownSummary> {
    const known = new Map<RunId, KnownSummary>();
    const [first, ...lines] = this.text().split('\n');
    this.isUsable = first === head;
    if (!this.isUsable) return known;
    this.lines = lines.length;
    for (const line of lines) {
      const summary = parsedRow(line);
      if (summary && summary.summary.id === summary.id)
        known.set(summary.id, { stamp: summary.stamp, summary: summary.summary });
    }
    return known;
  }

  /** Takes a row that was read from its file. */
  add(id: RunId, known: KnownSummary): void {
    this.pending.push(JSON.stringify({ id, ...known }));
    if (this.pending.length >= batchRows) this.flush();
  }

  /** Writes what was added; `all` are the rows of the list, of which a file with many old ones is written anew. */
  finish(all: () => ReadonlyArray<readonly [RunId, KnownSummary]>, count: number): void {
    this.flush();
    if (this.isUsable && this.lines <= 2 * count + batchRows) return;
    if (this.lines === 0 && !this.isUsable) return;
    const rows = all().map(([id, known]) => JSON.stringify({ id, ...known }));
    const whole = `${this.path}.new-${process.pid}`;
    this.attempt(() => {
      writeFileSync(whole, `${[head, ...rows].join('\n')}\n`, { mode: 0o600 });
      renameSync(whole, this.path);
      this.lines = rows.length;
    });
    rmSync(whole, { force: true });
  }

  private flush(): void {
    const rows = this.pending;
    this.pending = [];
    if (rows.length === 0) return;
    this.attempt(() => {
      const text = `${rows.join('\n')}\n`;
      if (this.isUsable) appendFileSync(this.path, text);
      else writeFileSync(this.path, `${head}\n${text}`, { mode: 0o600 });
      this.isUsable = true;
      this.lines += rows.length;
    });
  }

  private text(): string {
    try {
      return statSync(this.path).size > maxBytes ? '' : readFileSync(this.path, 'utf8');
    } catch {
      return ''; // None yet.
    }
  }

  /** Without an index lists only take longer, as in a folder that can't be written. */
  private attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      log.debug(`The index ${this.path} can't be written: ${errorText(error)}.`);
    }
  }
}

function parsedRow(line: string): z.infer<typeof row> | undefined {
  try {
    return row.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
