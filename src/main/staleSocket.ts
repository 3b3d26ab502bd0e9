import { readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Names of the folders that Chromium creates for the socket of its only instance. */
const folderName = /^(scoped_dir|\.org\.chromium\.Chromium\.)\w+$/;

/** The socket of the instance that uses a data folder, or has used it; undefined without one. */
export function instanceSocket(userData: string): string | undefined {
  try {
    return readlinkSync(join(userData, 'SingletonSocket'));
  } catch {
    return undefined; // no instance, or a system without such sockets
  }
}

/**
 * Removes the socket's folder of an instance that no longer runs, which Chromium leaves after a kill. To be called once
 * this process holds the lock of the instance; `socket` is the one from before.
 */
export function removeStaleSocket(socket: string | undefined): void {
  if (socket === undefined) return;
  const folder = dirname(socket);
  if (dirname(folder) !== tmpdir() || !folderName.test(basename(folder))) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A socket of another user is harmless.
  }
}
