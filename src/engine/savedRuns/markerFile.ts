import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const openedFile = z.object({ path: z.string(), stamp: z.string() });

/** A run file that a reader had open, and its state then. An empty path: none. */
export type OpenedFile = z.infer<typeof openedFile>;

/** The run file that a reader which ended had open. */
export async function openedBy(markerFile: string): Promise<OpenedFile> {
  try {
    return openedFile.parse(JSON.parse(await readFile(markerFile, 'utf8')));
  } catch {
    return { path: '', stamp: '' };
  }
}
