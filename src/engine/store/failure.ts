import { FullhouseError } from '../../contract/calls';
import { errorText } from '../../domain/text/errorText';

const reasons: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(SQLITE_FULL|ENOSPC)/, 'the disk is full'],
  [/^EDQUOT/, "this user's disk quota is used up"],
  [/^EFBIG/, 'a file may not become larger'],
  [/^(SQLITE_READONLY|EROFS)/, 'the disk is read-only'],
  [/^(SQLITE_IOERR|EIO)/, 'the disk reports an error'],
  [/^(SQLITE_PERM|SQLITE_AUTH|EACCES|EPERM)/, 'this user has no permission'],
  [/^(EEXIST|ENOTDIR)/, 'a file exists in place of a folder'],
  [/^EISDIR/, 'it is a folder'],
  [/^ENOENT/, 'the folder does not exist'],
  [/^(EMFILE|ENFILE)/, 'too many files are open'],
  [/^SQLITE_CANTOPEN/, "the file can't be opened"],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, 'its contents are not a valid database'],
];
/** SQLite error numbers that the driver gives only as text, with their codes. */
const numbered: Readonly<Record<string, string>> = {
  '8': 'SQLITE_READONLY',
  '10': 'SQLITE_IOERR',
  '13': 'SQLITE_FULL',
  '14': 'SQLITE_CANTOPEN',
};

/** The system's or SQLite's code of an error; empty where it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const [, number = ''] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message) ?? [];
  const code = 'code' in error ? String(error.code) : '';
  return code === '' ? (numbered[number] ?? '') : code;
}

/** The reason of an error of the disk, of SQLite or of a parser, as plain text without a full stop. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const [, known] = reasons.find(([pattern]) => pattern.test(code)) ?? [];
  if (known !== undefined) return known;
  if (error instanceof SyntaxError) return 'a value in it is not valid JSON';
  return errorText(error).replace(/\.$/, '');
}

/** Why a file can't be read, in words: other than for a folder to write to, a missing one is the file itself. */
export const reasonNotRead = (error: unknown): string =>
  codeOf(error) === 'ENOENT' ? 'it does not exist' : reasonOf(error);

/** Creates the sentence for an error while reading a run file. `name` is the file's display name. */
export function readFailure(error: unknown, name: string): FullhouseError {
  if (error instanceof FullhouseError) return error;
  const code = codeOf(error);
  const failed = (kind: string, sentence: string): FullhouseError =>
    new FullhouseError(kind, sentence, { cause: error });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return failed('run-busy', `${name} is in use by another program; try again shortly.`);
  if (code === 'ENOENT') return failed('no-run', `${name} no longer exists.`);
  if (code === 'EISDIR') return failed('not-a-run', `${name} is a folder, not a run. Choose a .fullhouse file.`);
  if (code === 'EACCES' || code === 'EPERM')
    return failed('run-not-readable', `${name} can't be read: this user is not allowed to.`);
  if (/^(SQLITE_CANTOPEN|EMFILE|ENFILE|ENOSPC|SQLITE_FULL)/.test(code))
    return failed('run-not-readable', `${name} can't be read: ${reasonOf(error)}.`);
  return failed(
    'damaged-run',
    `${name} is damaged (${reasonOf(error)}). If you have another copy of the run, import that one.`,
  );
}

/** Creates the sentence for an error while moving or writing a file. */
export function writeFailure(error: unknown, what: string): FullhouseError {
  if (error instanceof FullhouseError) return error;
  return new FullhouseError('run-not-written', `${what}: ${reasonOf(error)}.`, { cause: error });
}
