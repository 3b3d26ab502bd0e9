import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import { openRunLibrary, type RunLibrary } from '../engine/store';
import { defaultOut } from './args';

/** The file of a kept run, named by its path or by its id in ./runs. Throws `no-run`. */
export function keptRunFile(run: string): string {
  if (existsSync(run)) return resolve(run);
  const file = resolve(defaultOut, `${run}.fullhouse`);
  if (existsSync(file)) return file;
  throw new FullhouseError(
    'no-run',
    `There is neither a file ${run} nor a run of that id in ${resolve(defaultOut)}.`,
  );
}

/**
 * Opens a kept run by its file or by its id in ./runs, and hands it to `use`. A file is read from a copy: looking at a run
 * changes nothing about it.
 */
export async function withKeptRun<T>(
  run: string,
  use: (library: RunLibrary, id: string, file: string) => Promise<T> | T,
): Promise<T> {
  const file = keptRunFile(run);
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-'));
  try {
    const library = openRunLibrary(folder);
    return await use(library, library.importFile(file).id, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
