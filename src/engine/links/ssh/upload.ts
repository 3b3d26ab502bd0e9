import { randomBytes } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { FullhouseError } from '../../../contract/calls';
import type { RunOptions } from './runCommand';
import type { SshResult } from './sshLink';

export interface UploadPlace {
  readonly who: string;
  run(argv: readonly string[], options: RunOptions): Promise<SshResult>;
}

const mostUploadMs = 10 * 60_000;

/**
 * Writes a file to a temporary name beside the wanted one, then renames it: it is there complete, or not at all. It goes through
 * `cat` in place of SFTP: not every server has that, its "Failure" does not say that the disk is full, and ssh2 keeps a session
 * open for good when the server refuses it.
 */
export async function uploadFile(
  place: UploadPlace,
  localPath: string,
  remotePath: string,
  mode: number,
): Promise<void> {
  const bytes = sizeOf(place.who, localPath);
  const part = `${remotePath}.${randomBytes(6).toString('hex')}.part`;
  const result = await place.run(
    ['sh', '-c', script, 'sh', part, remotePath, mode.toString(8).padStart(4, '0'), String(bytes)],
    { input: createReadStream(localPath), timeoutMs: mostUploadMs },
  );
  if (result.code !== 0) throw uploadFailure(place.who, remotePath, result);
}

/** Counts what arrived before it renames: a broken link looks like the end of the file. */
const script = `umask 077
trap 'rm -f -- "$1"' EXIT
cat > "$1" || exit 1
[ "$(wc -c < "$1")" -eq "$4" ] || { echo 'the file arrived incomplete' >&2; exit 1; }
chmod "$3" "$1" && mv -f -- "$1" "$2"`;

function sizeOf(who: string, localPath: string): number {
  try {
    return statSync(localPath).size;
  } catch (error) {
    throw new FullhouseError('no-file', `${who}: there is nothing to upload: ${(error as Error).message}.`);
  }
}

/** Why the shell could not write, told by what it said. */
export function uploadFailure(who: string, remotePath: string, result: SshResult): FullhouseError {
  const say = (code: string, words: string): FullhouseError => new FullhouseError(code, `${who}: ${words}`);
  if (result.code === null)
    return say(
      'link-lost',
      `the SSH connection broke while ${remotePath} was written; nothing is left there.`,
    );
  const { stderr } = result;
  if (/No space left|Disk quota exceeded/i.test(stderr))
    return say('disk-full', `${remotePath} can't be written: the disk is full. Free some space there.`);
  if (/Read-only file system/i.test(stderr))
    return say('read-only', `${remotePath} can't be written: its file system is read-only.`);
  if (/Permission denied|Operation not permitted/i.test(stderr))
    return say('no-permission', `${remotePath} can't be written: the account may not write there.`);
  if (/No such file|Not a directory|nonexistent/i.test(stderr))
    return say('no-folder', `${remotePath} can't be written: its folder does not exist.`);
  const reason = stderr.trim().split('\n').at(-1) ?? '';
  return say('upload', `${remotePath} can't be written: ${reason || `sh ended with code ${result.code}`}.`);
}
