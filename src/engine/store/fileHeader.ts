import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import { applicationId, schemaVersion } from './schema';

const headerBytes = 100;

/**
 * Looks at the first 100 bytes of a file (https://www.sqlite.org/fileformat.html, section 1.3), so that a foreign file is refused before
 * SQLite touches it. `name` is what people call the file. Throws `not-a-run`, `newer-run` or `damaged-run`.
 */
export function checkFileHeader(path: string, name: string): void {
  const { size, expected } = lookAt(path, name);
  // Beside a write-ahead log the file may rightly be behind its header.
  if (size < expected && !existsSync(`${path}-wal`))
    throw new FullhouseError(
      'damaged-run',
      `${name} is cut off: ${size.toLocaleString('en')} of ${expected.toLocaleString('en')} bytes are there. Copy it again from where it was made.`,
    );
}

/** Whether the end of a run file is missing. Throws as `checkFileHeader` does for what is no run. */
export function isCutOff(path: string, name: string): boolean {
  const { size, expected } = lookAt(path, name);
  return size < expected && !existsSync(`${path}-wal`);
}

/** How long a run file says that it is. */
export function expectedBytes(path: string): number {
  return lookAt(path, path).expected;
}

function lookAt(path: string, name: string): { size: number; expected: number } {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  let read: number;
  let size: number;
  try {
    read = readSync(file, header, 0, headerBytes, 0);
    size = fstatSync(file).size;
  } finally {
    closeSync(file);
  }
  if (read === 0)
    throw new FullhouseError('damaged-run', `${name} is empty: it was never written, or not copied whole.`);
  if (
    read < headerBytes ||
    header.toString('latin1', 0, 16) !== 'SQLite format 3\0' ||
    header.readUInt32BE(68) !== applicationId
  )
    throw new FullhouseError('not-a-run', `${name} is not a Fullhouse run. Choose a .fullhouse file.`);
  const version = header.readUInt32BE(60);
  if (version > schemaVersion)
    throw new FullhouseError(
      'newer-run',
      `${name} was written by a newer Fullhouse (run format ${version}, this one reads ${schemaVersion}). Update Fullhouse to open it.`,
    );
  const rawPageSize = header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * (rawPageSize === 1 ? 65_536 : rawPageSize);
  return { size, expected };
}
