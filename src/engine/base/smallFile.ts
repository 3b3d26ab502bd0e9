import { FullhouseError } from '../../contract/calls';
import { readTextFile } from './readTextFile';

/** Of a configuration or a list of hosts that a person or a plan names. */
const maxBytes = 1_000_000;

const reasons: Readonly<Record<string, string>> = { ENOENT: 'it does not exist', EACCES: 'access is denied' };

/**
 * The text of a file that a plan may name. Throws why it can't be read as a part of a sentence, e.g. `it does not exist`,
 * and never anything of its content.
 */
export function readSmallFile(path: string): string {
  try {
    return readTextFile(path, maxBytes);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new FullhouseError('unreadable', reasons[code] ?? code);
  }
}
