import { FullhouseError } from '../contract/calls';
import type { RunLibrary } from './store';

/** Writes a run in one of its forms; resolves with the file's path and size. */
export async function exportRun(
  library: RunLibrary,
  run: string,
  kind: 'fullhouse' | 'html' | 'csv',
  path: string,
): Promise<{ path: string; bytes: number }> {
  if (kind === 'fullhouse') return { path, bytes: library.exportFile(run, path).bytes };
  throw new FullhouseError('no-report', `${kind} can't be written yet.`);
}
