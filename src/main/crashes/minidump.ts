import { closeSync, openSync, readSync } from 'node:fs';

const signature = 'MDMP';
/** Stream with facts of the process. */
const miscInfoStream = 15;
/** More streams than any dump has; a bound on what a damaged one can claim. */
const maxStreams = 1000;

/**
 * The id of the process of a minidump; undefined for any other file. The format: a header with number and place of
 * streams, their directory, and the streams, all little-endian.
 */
export function processOfDump(path: string): number | undefined {
  const file = openSync(path, 'r');
  const read = (at: number, bytes: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    readSync(file, buffer, 0, bytes, at);
    return buffer;
  };
  try {
    const header = read(0, 16);
    if (header.toString('latin1', 0, 4) !== signature) return undefined;
    const directory = read(header.readUInt32LE(12), 12 * Math.min(header.readUInt32LE(8), maxStreams));
    for (let at = 0; at < directory.length; at += 12)
      if (directory.readUInt32LE(at) === miscInfoStream)
        return read(directory.readUInt32LE(at + 8) + 8, 4).readUInt32LE(0);
    return undefined;
  } finally {
    closeSync(file);
  }
}
