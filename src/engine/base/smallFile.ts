import { readFileSync, statSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';

/** Of a text file that a person or a plan names; a device or a pipe would never end. */
const maxBytes = 1024 * 1024;

/**
 * The text of a file that a plan may name. Throws why it can't be read as a part of a sentence, e.g. `it does not exist`,
 * and never anything of its content.
 */
export function readSmallFile(path: string): string {
  const refuse = (reason: string): FullhouseError => new FullhouseError('unreadable', reason);
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw refuse('it is not a file');
    if (stat.size > maxBytes) throw refuse('it has more than 1 MiB');
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof FullhouseError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw refuse(code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'access is denied' : code);
  }
}
