import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../../../scripts/setup/command.mjs';

/**
 * Removes the files of a folder from the system's disk cache: only these, since other programs use the cache too.
 * Libraries of the system stay in it.
 */
export async function evict(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const file of files)
    // Reads nothing; `nocache` advises the system to drop the whole file.
    await mustRun('Emptying the disk cache', 'dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
}
