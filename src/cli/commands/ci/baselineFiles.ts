import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import type { RunSummary } from '../../../domain/model/run';
import { privateTempFolder } from '../../../engine/base/tempFolder';
import type { SavedRuns } from '../../../engine/savedRuns/savedRuns';
import type { Installation } from '../../installation';
import { runFileExtension, withSavedRuns } from '../../savedRun';

/**
 * A temporary library of the given runs for the duration of `use`; undefined without any. The first file is marked as
 * baseline, of a folder its oldest run. Copies: comparing with a run does not change its file.
 */
export async function withBaselines<T>(
  paths: readonly string[],
  installation: Installation,
  say: (sentence: string) => void,
  use: (folder: string | undefined) => Promise<T>,
): Promise<T> {
  const groups = paths.map((path) => runFilesOf(path, say)).filter((files) => files.length > 0);
  const folder = privateTempFolder();
  try {
    const hasBaseline = await withSavedRuns(folder.path, installation, async (runs) => {
      const imported: RunSummary[][] = [];
      for (const files of groups) imported.push(await importAll(runs, files, say));
      const [first] = imported.flatMap((group) => [...group].sort((a, b) => a.startedMs - b.startedMs));
      if (first) await runs.call('setBaseline', { run: first.id, isBaseline: true });
      return first !== undefined;
    });
    return await use(hasBaseline ? folder.path : undefined);
  } finally {
    folder.remove();
  }
}

/** As in a library, an unreadable baseline is reported and does not affect the run. */
async function importAll(
  runs: SavedRuns,
  files: readonly string[],
  say: (sentence: string) => void,
): Promise<RunSummary[]> {
  const rows: RunSummary[] = [];
  for (const path of files)
    try {
      rows.push(await runs.call('import', { path }));
    } catch (error) {
      say(`The baseline ${path} is left out: ${(error as Error).message}`);
    }
  return rows;
}

/** A run file, or all below a folder. */
function runFilesOf(given: string, say: (sentence: string) => void): string[] {
  const path = resolve(given);
  if (!existsSync(path)) {
    if (path.endsWith(runFileExtension))
      throw new FullhouseError('no-run', `The baseline ${path} does not exist; check --baseline.`);
    say(`No baseline: the folder ${path} does not exist yet.`);
    return [];
  }
  if (!statSync(path).isDirectory()) return [path];
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(runFileExtension))
    .map((file) => join(path, file));
  if (found.length === 0) say(`No baseline: the folder ${path} contains no ${runFileExtension} file yet.`);
  return found;
}
