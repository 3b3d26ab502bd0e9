import { existsSync } from 'node:fs';
import { extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const runExtension = '.fullhouse';

/** Run files on a command line, as absolute paths; the program's own arguments and switches are skipped. */
export function runFilesIn(
  args: readonly string[],
  workingFolder: string,
  exists: (path: string) => boolean = existsSync,
): string[] {
  return args
    .map(withoutScheme)
    .filter((argument) => !argument.startsWith('-') && extname(argument).toLowerCase() === runExtension)
    .map((argument) => (isAbsolute(argument) ? argument : resolve(workingFolder, argument)))
    .filter(exists);
}

/** Desktops pass files as paths or as URLs (`%U` of a desktop entry). */
function withoutScheme(argument: string): string {
  if (!argument.startsWith('file:')) return argument;
  try {
    const path = fileURLToPath(argument);
    // On Windows a file of another host is a share: looking for it there would send a hash of the user's password.
    return /^[\\/]{2}/.test(path) ? '' : path;
  } catch {
    // On another host, or not a URL: no file of this computer.
    return '';
  }
}

/** A name that is valid on every file system, with the given extension; the typed name remains recognisable. */
export function safeFileName(suggested: string, extension: string): string {
  const base = suggested.toLowerCase().endsWith(extension) ? suggested.slice(0, -extension.length) : suggested;
  const trimmed = base
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu, '-')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    // Names of devices in Windows, with any extension.
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)$/i, '$&-');
  return `${trimmed || 'run'}${extension}`;
}
