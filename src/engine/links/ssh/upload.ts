import { randomBytes } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { FullhouseError } from '../../../contract/calls';
import type { RunOptions } from './runCommand';
import type { SshResult } from './sshLink';

export interface UploadContext {
  readonly who: string;
  run(argv: readonly string[], options: RunOptions): Promise<SshResult>;
}

const maxUploadMs = 10 * 60_000;

/**
 * Writes a file to a temporary name beside the final one, then renames it: it exists completely or not at all. It uses
 * `cat` instead of SFTP: not every server has SFTP, its "Failure" does not report a full disk, and ssh2 keeps a session
 * open for good when the server refuses it.
 */
export async function uploadFile(
  place: UploadContext,
  localPath: string,
  remotePath: string,
  mode: number,
): Promise<void> {
  const bytes = sizeOf(place.who, localPath);
  const part = `${remotePath}.${randomBytes(6).toString('hex')}.part`;
  const result = await place.run(
    ['sh', '-c', script, 'sh', part, remotePath, mode.toString(8).padStart(4, '0'), String(bytes)],
    { input: createReadStream(localPath), timeoutMs: maxUploadMs },
  );
  if (result.code !== 0) throw uploadFailure(place.who, remotePath, result);
}

/** Checks the size before the rename: a broken link looks like the end of the file. */
const script = `umask 077
trap 'rm -f -- "$1"' EXIT
cat > "$1" || exit 1
[ "$(wc -c < "$1")" -eq "$4" ] || { echo 'the file arrived incomplete' >&2; exit 1; }
chmod "$3" "$1" && mv -f -- "$1" "$2"`;

function sizeOf(who: string, localPath: string): number {
  try {
    return statSync(localPath).size;
  } catch (error) {
    throw new FullhouseError('no-file', `${who}: the file to upload can't be read: ${(error as Error).message}.`);
  }
}

/** Why the shell failed to write, by its error output. */
export function uploadFailure(who: string, remotePath: string, result: SshResult): FullhouseError {
  const fault = (code: string, words: string): FullhouseError => new FullhouseError(code, `${who}: ${words}`);
  if (result.code === null)
    return fault(
      'link-lost',
      `the SSH connection broke while ${remotePath} was written; the partial file was removed.`,
    );
  const { stderr } = result;
  if (/No space left|Disk quota exceeded/i.test(stderr))
    return fault('disk-full', `${remotePath} can't be written: the disk is full. Free some space there.`);
  if (/Read-only file system/i.test(stderr))
    return fault('read-only', `${remotePath} can't be written: its file system is read-only.`);
  if (/Permission denied|Operation not permitted/i.test(stderr))
    return fault('no-permission', `${remotePath} can't be written: the account may not write there.`);
  if (/No such file|Not a directory|nonexistent/i.test(stderr))
    return fault('no-folder', `${remotePath} can't be written: its folder does not exist.`);
  const reason = stderr.trim().split('\n').at(-1) ?? '';
  return fault('upload', `${remotePath} can't be written: ${reason || `sh ended with code ${result.code}`}.`);
}
