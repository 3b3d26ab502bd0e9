import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { ownMark, writerLives, writerMark, type WriterMark } from '../base/lock';
import { codeOf, writeFailure } from '../store/failure';

const lockName = 'writer.json';

/**
 * Makes this process the one that writes the history in `folder`: two would remove and thin each other's files. Throws
 * `in-use` with the process that does already; the lock of a process that was killed does not count. `nowMs`: the time of
 * this machine. Returns its release.
 */
export async function lockHistory(folder: string, nowMs: number): Promise<() => Promise<void>> {
  const path = join(folder, lockName);
  const own = ownMark();
  const part = `${path}.${own.pid}`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(part, JSON.stringify(own));
    if (!(await linked(part, path))) {
      await removeStale(folder, path, own, nowMs);
      if (!(await linked(part, path))) throw inUse(folder, await writerOf(path));
    }
  } catch (error) {
    throw writeFailure(error, `the history can't be written to ${folder}`);
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
  return async () => {
    if (isSame(await writerOf(path), own)) await rm(path, { force: true });
  };
}

/** The lock appears with its content, and fails if there is one, whoever was faster. */
async function linked(part: string, path: string): Promise<boolean> {
  try {
    await link(part, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!withoutLinks.has(codeOf(error))) throw error;
  }
  return writeFile(path, await readFile(part), { flag: 'wx' }).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Of file systems without hard links, e.g. exFAT. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function removeStale(folder: string, path: string, own: WriterMark, nowMs: number): Promise<void> {
  const writer = await writerOf(path);
  if (writer && !isSame(writer, own) && (await isHeld(path, writer, nowMs))) throw inUse(folder, writer);
  // Another process that waits may have replaced it meanwhile: it is taken away first, then looked at.
  const taken = `${path}.${own.pid}.stale`;
  await rename(path, taken).catch(() => undefined);
  const found = await writerOf(taken);
  if (found && !isSame(found, writer) && writerLives(found)) await rename(taken, path);
  else await rm(taken, { force: true });
}

/** Where the system does not report when a process began, the lock may be one of before the machine started. */
async function isHeld(path: string, writer: WriterMark, nowMs: number): Promise<boolean> {
  if (!writerLives(writer)) return false;
  if (writer.started !== '') return true;
  const { mtimeMs } = await stat(path);
  return mtimeMs > nowMs - uptime() * 1000;
}

const isSame = (one: WriterMark | undefined, other: WriterMark | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.pid === other.pid &&
  one.started === other.started &&
  one.host === other.host;

async function writerOf(path: string): Promise<WriterMark | undefined> {
  try {
    return writerMark.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined; // gone meanwhile, or damaged
  }
}

const inUse = (folder: string, writer: WriterMark | undefined): FullhouseError =>
  new FullhouseError(
    'in-use',
    `another process${writer ? ` (${writer.pid})` : ''} records to ${folder}; end it, or choose another folder.`,
  );
