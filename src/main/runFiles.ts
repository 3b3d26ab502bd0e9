import { existsSync } from 'node:fs';
import { extname, isAbsolute, resolve } from 'node:path';

export const runExtension = '.fullhouse';

/** Run files on a command line, as absolute paths; the program's own arguments and switches are skipped. */
export function runFilesIn(
  args: readonly string[],
  workingFolder: string,
  exists: (path: string) => boolean = existsSync,
): string[] {
  return args
    .filter((argument) => !argument.startsWith('-') && extname(argument).toLowerCase() === runExtension)
    .map((argument) => (isAbsolute(argument) ? argument : resolve(workingFolder, argument)))
    .filter(exists);
}

/** A name that is valid on every file system, with the given extension; the typed name remains recognisable. */
export function safeFileName(suggested: string, extension: string): string {
  const base = suggested.toLowerCase().endsWith(extension) ? suggested.slice(0, -extension.length) : suggested;
  const printable = [...base].map((character) =>
    character < ' ' || '\\/:*?"<>|'.includes(character) ? '-' : character,
  );
  const trimmed = printable.join('').replace(/^[.\s]+|[.\s]+$/g, '');
  return `${trimmed || 'run'}${extension}`;
}
