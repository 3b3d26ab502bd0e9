import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cacheFolder, root } from './paths.mjs';

/** Hash over the names and contents of files and folders; a missing one is part of the hash. */
export function hashOf(paths, { extra = '', accept = () => true } = {}) {
  const hash = createHash('sha256').update(extra);
  for (const path of paths) {
    if (!existsSync(path)) hash.update(`missing ${relative(root, path)}\0`);
    else
      for (const file of filesUnder(path))
        if (accept(file)) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(join(path, entry.name)));
}

/** The file that holds the hash of a part's last build; without it the part is built again. */
export const stampFile = (part) => join(cacheFolder, `${part}.stamp`);

/** The hash of a part's last build, undefined without one. */
export function readStamp(part) {
  try {
    return readFileSync(stampFile(part), 'utf8');
  } catch {
    return undefined;
  }
}

export function writeStamp(part, hash) {
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(stampFile(part), hash);
}
