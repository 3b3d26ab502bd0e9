import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';
import { externalPackages } from '../../vite.shared.mjs';

/**
 * The folders of the npm packages that the command line loads at run time, with those that they need themselves; the
 * rest is bundled. Optional ones count if they are installed here.
 */
export function commandPackages() {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const found = new Set();
  const add = (name, from) => {
    const path = placeOf(packages, name, from);
    // Both variants of libsql are installed for Linux; Electron and our systems have glibc.
    if (path === undefined || found.has(path) || !existsSync(inRoot(path)) || path.endsWith('-musl')) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(next, path);
  };
  for (const name of externalPackages) add(name, '');
  return [...found].sort();
}

/** Where Node.js finds a package from a folder of another: the nearest node_modules upwards. */
function placeOf(packages, name, from) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder}${folder ? '/' : ''}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}
