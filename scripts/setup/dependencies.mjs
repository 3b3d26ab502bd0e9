import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mustRun, npm } from './command.mjs';
import { inRoot } from './paths.mjs';
import { checkNode } from './versions.mjs';

/** The npm packages of package-lock.json. npm's own record of installed packages shows whether they are complete. */
export const dependencies = {
  title: 'npm packages',
  isReady() {
    checkNode();
    const wanted = readPackages(inRoot('package-lock.json'));
    const installed = readPackages(inRoot('node_modules', '.package-lock.json'));
    if (!wanted || !installed) return false;
    return Object.entries(wanted).every(
      ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version,
    );
  },
  async make() {
    // No install scripts: only Electron's download needs one, which is a separate step.
    await mustRun(
      'Installing the npm packages',
      npm,
      ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        show: true,
        timeoutMs: 900_000,
      },
    );
  },
};

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Enables `npx --no-install fullhouse` inside the clone. */
export const commandLink = {
  title: 'fullhouse command',
  isReady: () => lstatSync(inRoot('node_modules', '.bin', 'fullhouse'), { throwIfNoEntry: false }) !== undefined,
  make() {
    const folder = inRoot('node_modules', '.bin');
    mkdirSync(folder, { recursive: true });
    if (process.platform === 'win32') {
      writeFileSync(inRoot('node_modules', '.bin', 'fullhouse.cmd'), '@node "%~dp0..\\..\\bin\\fullhouse.mjs" %*\r\n');
      writeFileSync(inRoot('node_modules', '.bin', 'fullhouse'), '');
      return;
    }
    symlinkSync('../../bin/fullhouse.mjs', inRoot('node_modules', '.bin', 'fullhouse'));
  },
};
