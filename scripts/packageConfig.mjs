import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandPackages } from './packaging/commandPackages.mjs';
import { majorOf } from './setup/electronSupport.mjs';
import { cacheFolder, inRoot } from './setup/paths.mjs';

/** The configuration of electron-builder for a runtime; `dist` is where an unpacked one is copied. */
export async function configFor(runtime, dist = join(cacheFolder, 'electron-dist')) {
  const { parse } = await import('yaml');
  const config = parse(readFileSync(inRoot('electron.builder.yml'), 'utf8'));
  if (runtime.kind === 'own') {
    // Otherwise it downloads the checksums from the same mirror, so a malicious mirror could vouch for itself.
    const checksums = JSON.parse(readFileSync(inRoot('node_modules', 'electron', 'checksums.json'), 'utf8'));
    config.electronDownload = { checksums };
  } else {
    config.electronDist = copy(runtime, dist);
    config.electronVersion = runtime.version;
  }
  // This fuse exists since Electron 29.
  if (majorOf(runtime.version) < 29) delete config.electronFuses.grantFileProtocolExtraPrivileges;
  writeIcons(inRoot(config.linux.icon));
  config.files.push(...unusedPackages().map((folder) => `!${folder}/**`));
  return config;
}

/** Packages for production that are only bundled: app and command line load the same ones at run time. */
function unusedPackages() {
  const loaded = commandPackages();
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  return Object.keys(packages).filter(
    (path) => path !== '' && !packages[path].dev && !packages[path].devOptional && !loaded.includes(path),
  );
}

/** The icons under the names that electron-builder reads: `16x16.png` and so on. */
function writeIcons(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(inRoot('assets', 'icons'))) {
    const [, size] = /-(\d+)\.png$/.exec(file) ?? [];
    if (size) copyFileSync(inRoot('assets', 'icons', file), join(folder, `${size}x${size}.png`));
  }
}

/**
 * The runtime without the files that only a clone needs: the stub that starts it, and the mark of its verified package.
 */
function copy({ folder }, dist) {
  const left = [join(folder, 'resources', 'app'), join(folder, 'package.sha256')];
  rmSync(dist, { recursive: true, force: true });
  cpSync(folder, dist, { recursive: true, filter: (path) => !left.includes(path) });
  return dist;
}
