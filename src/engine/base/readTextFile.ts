import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The text of a file that a plan or a person names. Throws an error whose `code` says in words why it is not read: a
 * device has no end, and a named pipe that nothing writes to would block the process.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const file = openSync(path, flags);
  try {
    requireText(fstatSync(file), maxBytes);
    return requireShort(readFileSync(file, 'utf8'), maxBytes);
  } finally {
    closeSync(file);
  }
}

/** Reads a text file without waiting for the disk, for what is read while a run is active. */
export async function loadTextFile(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, flags);
  try {
    requireText(await file.stat(), maxBytes);
    return requireShort(await file.readFile('utf8'), maxBytes);
  } finally {
    await file.close();
  }
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${bytes / 1_000_000} MB`;

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function requireText(stat: Stats, maxBytes: number): void {
  if (!stat.isFile()) throw refusal(stat.isDirectory() ? 'it is a folder' : 'it is not a file');
  if (stat.size > maxBytes) throw refusal(`it is larger than ${sizeText(maxBytes)}`);
}

/** Files of /proc have no size: what is read counts too. */
function requireShort(text: string, maxBytes: number): string {
  if (text.length > maxBytes) throw refusal(`it is larger than ${sizeText(maxBytes)}`);
  return text;
}

const refusal = (code: string): Error => Object.assign(new Error(code), { code });
