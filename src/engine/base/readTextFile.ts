import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The text of a file that a plan or a person names. Throws an error whose `code` says in words why it is not read: a
 * device has no end, and a named pipe that nothing writes to would block the process.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw refusal(stat.isDirectory() ? 'it is a folder' : 'it is not a file');
    if (stat.size > maxBytes) throw refusal(`it is larger than ${maxBytes / 1_000_000} MB`);
    // Files of /proc have no size: what is read counts too.
    const text = readFileSync(file, 'utf8');
    if (text.length > maxBytes) throw refusal(`it is larger than ${maxBytes / 1_000_000} MB`);
    return text;
  } finally {
    closeSync(file);
  }
}

const refusal = (code: string): Error => Object.assign(new Error(code), { code });
