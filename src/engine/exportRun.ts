import { stat } from 'node:fs/promises';
import { FullhouseError } from '../contract/calls';
import { writeCsv, writeHtml } from './report';
import type { RunLibrary } from './store';

/** Writes a run in one of its forms; resolves with the file's path and size. Rejects with `export-failed` and a sentence. */
export async function exportRun(
  library: RunLibrary,
  run: string,
  kind: 'fullhouse' | 'html' | 'csv',
  path: string,
): Promise<{ path: string; bytes: number }> {
  if (kind === 'fullhouse') return { path, bytes: library.exportFile(run, path).bytes };
  const reader = library.open(run);
  try {
    if (kind === 'html') writeHtml(reader, path);
    else await writeCsv(reader, path);
    return { path, bytes: (await stat(path)).size };
  } catch (error) {
    if (error instanceof FullhouseError) throw error;
    throw new FullhouseError('export-failed', `${path} can't be written: ${(error as Error).message}.`, {
      cause: error,
    });
  } finally {
    reader.close();
  }
}
