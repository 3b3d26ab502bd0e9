import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import { SavedRuns } from '../engine/savedRuns/savedRuns';
import { privateTempFolder } from '../engine/base/tempFolder';
import type { Installation } from './installation';
import { defaultOut } from './options';
import { showReading } from './progress';

export const runFileExtension = '.fullhouse';

/** The file of a saved run, by path or by id in ./runs. Throws `no-run`. */
export function savedRunFile(run: string): string {
  if (existsSync(run)) return resolve(run);
  const file = resolve(defaultOut, `${run}${runFileExtension}`);
  if (existsSync(file)) return file;
  throw new FullhouseError('no-run', `${run} is neither a file nor the id of a run in ${resolve(defaultOut)}.`);
}

/** The saved runs of a folder, for the duration of `use`. */
export async function withSavedRuns<T>(
  folder: string,
  { startReader }: Installation,
  use: (runs: SavedRuns) => Promise<T>,
): Promise<T> {
  const runs = new SavedRuns({ folder, startReader });
  const endProgress = showReading(runs.progress, process.stderr);
  try {
    return await use(runs);
  } finally {
    endProgress();
    runs.close();
  }
}

/** Copies of run files in a temporary folder: reading a run does not change it. */
export async function withCopies<T>(
  files: readonly string[],
  installation: Installation,
  use: (runs: SavedRuns, ids: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = privateTempFolder();
  try {
    return await withSavedRuns(folder.path, installation, async (runs) => {
      const ids: string[] = [];
      for (const path of files) ids.push((await runs.call('import', { path, mayRun: true })).id);
      return use(runs, ids);
    });
  } finally {
    folder.remove();
  }
}

/** Opens a saved run by its file or by its id in ./runs, from a copy. */
export function withSavedRun<T>(
  run: string,
  installation: Installation,
  use: (runs: SavedRuns, id: string, file: string) => Promise<T>,
): Promise<T> {
  const file = savedRunFile(run);
  return withCopies([file], installation, (runs, [id = '']) => use(runs, id, file));
}
