import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { ownMark, writerLives, writerMark, type WriterMark } from '../base/lock';
import { codeOf, writeFailure } from '../store/failure';

const lockName = 'writer.json';

/**
 * Makes this process the one that writes the history in `folder`: two would remove and thin each other's files. Throws
 * `in-use` with the process that does already; the lock of a process that was killed holds nobody up. Returns its
 * release.
 */
export async function lockHistory(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, lockName);
  try {
    await mkdir(folder, { recursive: true });
    if (!(await created(path))) {
      const writer = await writerOf(path);
      if (writer && writer.pid !== process.pid && writerLives(writer)) throw inUse(folder, writer);
      await rm(path, { force: true });
      if (!(await created(path))) throw inUse(folder, await writerOf(path));
    }
  } catch (error) {
    throw writeFailure(error, `the history can't be written to ${folder}`);
  }
  return async () => {
    if ((await writerOf(path))?.pid === process.pid) await rm(path, { force: true });
  };
}

/** Fails if it exists, whoever was faster. */
async function created(path: string): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(ownMark()), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function writerOf(path: string): Promise<WriterMark | undefined> {
  try {
    return writerMark.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined; // gone meanwhile, or cut short by a crash
  }
}

const inUse = (folder: string, writer: WriterMark | undefined): FullhouseError =>
  new FullhouseError(
    'in-use',
    `another process${writer ? ` (${writer.pid})` : ''} records to ${folder}; end it, or choose another folder.`,
  );
