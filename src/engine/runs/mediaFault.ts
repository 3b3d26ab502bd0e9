import { closeSync, openSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { reasonOf } from '../store/failure';

/** How files begin, as text of single bytes; undefined: in several ways. */
const starts: Readonly<Record<string, RegExp | undefined>> = {
  // The type of the first box.
  ...Object.fromEntries(['.mp4', '.mov', '.m4v'].map((each) => [each, /^.{4}(ftyp|moov|mdat|wide|free|skip|pnot)/s])),
  // oxlint-disable-next-line no-control-regex -- bytes, not characters
  ...Object.fromEntries(['.h264', '.h265'].map((each) => [each, /^\0{2,3}\x01/])),
  // oxlint-disable-next-line no-control-regex -- as above
  ...Object.fromEntries(['.mkv', '.webm'].map((each) => [each, /^\x1a\x45\xdf\xa3/])),
  '.ivf': /^DKIF/,
  '.flv': /^FLV/,
  '.avi': /^RIFF/,
  '.ts': undefined,
  '.m2ts': undefined,
};

/** Why a file can't be published as far as its name and its first bytes show it; undefined if they don't. */
export function mediaFault(path: string, shown: string): string | undefined {
  const extension = extname(path);
  if (!(extension in starts))
    return `The media file ${shown} has to end in ${Object.keys(starts).join(', ')}. Name such a file.`;
  try {
    const start = starts[extension];
    return start === undefined || start.test(firstBytes(path))
      ? undefined
      : `The media file ${shown} is not one of ${extension}: its first bytes are others. Name such a file.`;
  } catch (error) {
    return `The media file ${shown} can't be read: ${reasonOf(error)}. Correct its path.`;
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
