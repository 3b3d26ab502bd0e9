import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import { privateTempFolder } from '../engine/base/tempFolder';
import type { Installation } from './installation';
import { withSavedRuns } from './savedRun';

const extension = '.fullhouse';

/**
 * A temporary library of the given runs, the first marked as baseline, for the duration of `use`; undefined without
 * any. Copies: comparing with a run does not change its file.
 */
export async function withBaselines<T>(
  paths: readonly string[],
  installation: Installation,
  say: (sentence: string) => void,
  use: (folder: string | undefined) => Promise<T>,
): Promise<T> {
  const files = paths.flatMap((path) => runFilesOf(path, say));
  const folder = privateTempFolder();
  try {
    const count = await withSavedRuns(folder.path, installation, async (runs) => {
      let baseline: string | undefined;
      for (const path of files) {
        try {
          const { id } = await runs.call('import', { path });
          if (baseline === undefined) await runs.call('setBaseline', { run: id, isBaseline: true });
          baseline ??= id;
        } catch (error) {
          // As in a library: an unreadable baseline is reported and does not affect the run.
          say(`The baseline ${path} is left out: ${(error as Error).message}`);
        }
      }
      return baseline === undefined ? 0 : files.length;
    });
    return await use(count > 0 ? folder.path : undefined);
  } finally {
    folder.remove();
  }
}

/** A run file, or those below a folder by name: run ids start with their date, so the oldest is first. */
function runFilesOf(given: string, say: (sentence: string) => void): string[] {
  const path = resolve(given);
  if (!existsSync(path)) {
    if (path.endsWith(extension))
      throw new FullhouseError('no-run', `The baseline ${path} does not exist; check --baseline.`);
    say(`No baseline: the folder ${path} does not exist yet.`);
    return [];
  }
  if (!statSync(path).isDirectory()) return [path];
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map((file) => join(path, file));
  if (found.length === 0) say(`No baseline: the folder ${path} contains no ${extension} file yet.`);
  return found;
}
