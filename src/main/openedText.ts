import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxTextLength } from '../contract/shell';

/** A text file that the user has opened. */
export interface OpenedText {
  readonly name: string;
  readonly text: string;
}

/** Reads a text file that the user chose, or that a link names. Throws a sentence if it is missing, no file or too large. */
export async function readOpenedText(path: string): Promise<OpenedText> {
  const refused = (reason: string): Error => new Error(`${path} was not opened: ${reason}.`);
  // A named pipe that nothing writes to would never be opened.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(code === 'ENOENT' ? 'the file does not exist' : `it cannot be read (${code ?? 'unknown error'})`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw refused('it is not a file');
    // A text of this many characters never has fewer bytes, so huge files are not read.
    if (stat.size > maxTextLength) throw refused('it is larger than 1 MB');
    return { name: basename(path), text: await handle.readFile('utf8') };
  } finally {
    await handle.close();
  }
}
