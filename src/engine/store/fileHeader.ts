import { formatCount } from '../../domain/text/numberFormat';
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import { runFormat } from './format/steps';
import { applicationId } from './schema';

const headerBytes = 100;

/**
 * Checks the first 100 bytes of a file (https://www.sqlite.org/fileformat.html, section 1.3), so that a foreign file is
 * refused before SQLite opens it. `name` is the file's display name. Throws `not-a-run`, `newer-run` or `damaged-run`.
 */
export function checkFileHeader(path: string, name: string): void {
  const { size, expected } = runCheck(path, name);
  // With a write-ahead log the file may correctly be behind its header.
  if (size < expected && !existsSync(`${path}-wal`))
    throw new FullhouseError(
      'damaged-run',
      `${name} is truncated: ${formatCount(size)} of ${formatCount(expected)} bytes. Copy it again from its source.`,
    );
}

/** Whether the end of a run file is missing. Throws like `checkFileHeader` for a file that is not a run. */
export function isTruncated(path: string, name: string): boolean {
  const { size, expected } = runCheck(path, name);
  return size < expected && !existsSync(`${path}-wal`);
}

/** The length of a run file according to its header. */
export function expectedBytes(path: string): number {
  return runCheck(path, path).expected;
}

function runCheck(path: string, name: string): { size: number; expected: number } {
  const header = Buffer.alloc(headerBytes);
  // A named pipe that nothing writes to would block the process.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  let read: number;
  let size: number;
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() && !stat.isDirectory())
      throw new FullhouseError('not-a-run', `${name} is not a file. Choose a .fullhouse file.`);
    read = readSync(file, header, 0, headerBytes, 0);
    size = stat.size;
  } finally {
    closeSync(file);
  }
  if (read === 0)
    throw new FullhouseError('damaged-run', `${name} is empty: it was never written, or not copied completely.`);
  if (
    read < headerBytes ||
    header.toString('latin1', 0, 16) !== 'SQLite format 3\0' ||
    header.readUInt32BE(68) !== applicationId
  )
    throw new FullhouseError('not-a-run', `${name} is not a Fullhouse run. Choose a .fullhouse file.`);
  const version = header.readUInt32BE(60);
  if (version > runFormat)
    throw new FullhouseError(
      'newer-run',
      `${name} was written by a newer version of Fullhouse (run format ${version}, this one reads up to ${runFormat}). Update Fullhouse to open it.`,
    );
  const rawPageSize = header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * (rawPageSize === 1 ? 65_536 : rawPageSize);
  return { size, expected };
}
