import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import { openRunLibrary, type RunLibrary } from '../engine/store';
import { defaultOut } from './args';

/**
 * Opens a kept run by its file or by its id in ./runs, and hands it to `use`. A file is read from a copy: looking at a run
 * changes nothing about it.
 */
export async function withKeptRun<T>(
  run: string,
  use: (library: RunLibrary, id: string, file: string) => Promise<T> | T,
): Promise<T> {
  if (!existsSync(run)) {
    const file = resolve(defaultOut, `${run}.fullhouse`);
    if (!existsSync(file))
      throw new FullhouseError(
        'no-run',
        `There is neither a file ${run} nor a run of that id in ${resolve(defaultOut)}.`,
      );
    return withKeptRun(file, use);
  }
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-'));
  try {
    const library = openRunLibrary(folder);
    return await use(library, library.importFile(resolve(run)).id, resolve(run));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
