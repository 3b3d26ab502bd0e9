import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from '../setup/paths.mjs';
import { commandPackages } from './commandPackages.mjs';

/** What the command line of the package has besides its npm packages; the app has its agents and media. */
const content = ['out/cli', 'out/viewer-page', 'assets/fidelity/chromium.json', 'package.json'];

/** Files of a package that are read at run time, and its licence. */
const needed = /\.(js|cjs|json|node|html|css)$|(^|\/)LICEN[CS]E/i;

/**
 * Puts the command line together, as the folder `cli` of `folder`. electron-builder leaves out of the app whatever it
 * copies beside it, so it copies this instead of the sources.
 */
export function stageCommandLine(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const path of [...content, ...commandPackages()]) {
    const to = join(folder, 'cli', path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(inRoot(path), to, {
      recursive: true,
      filter: (from) => statSync(from).isDirectory() || (needed.test(from) && !from.endsWith('licenses.json')),
    });
  }
}
