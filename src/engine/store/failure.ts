import { FullhouseError } from '../../contract/calls';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Makes a sentence of whatever went wrong while a run file was read. `name` is what people call the file. */
export function readFailure(error: unknown, name: string): FullhouseError {
  if (error instanceof FullhouseError) return error;
  const code = codeOf(error);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new FullhouseError('run-busy', `${name} is in use by another program; try again in a moment.`, {
      cause: error,
    });
  if (code === 'ENOENT')
    return new FullhouseError('no-run', `${name} is not there any more.`, { cause: error });
  if (code === 'EISDIR')
    return new FullhouseError('not-a-run', `${name} is a folder, no run. Choose a .fullhouse file.`, {
      cause: error,
    });
  if (code === 'EACCES' || code === 'EPERM')
    return new FullhouseError('run-not-readable', `${name} can't be read: this user is not allowed to.`, {
      cause: error,
    });
  const detail = error instanceof Error ? error.message : String(error);
  return new FullhouseError(
    'damaged-run',
    `${name} is damaged (${detail}). If you have another copy of the run, import that one.`,
    { cause: error },
  );
}

/** Makes a sentence of whatever went wrong while a file was moved or written. */
export function writeFailure(error: unknown, what: string): FullhouseError {
  if (error instanceof FullhouseError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new FullhouseError('run-not-written', `${what}: ${detail}.`, { cause: error });
}
