import { join } from 'node:path';
import electronInstallerDebian from 'electron-installer-debian';
import { archOf, artifactName } from './artifactName.mjs';
import { installFolder, writeContents } from './contents.mjs';
import { runInstaller } from './runInstaller.mjs';
import { inRoot } from '../setup/paths.mjs';

/** electron-installer-debian with our place, files and dependencies: those of electron.builder.yml. */
class Deb extends electronInstallerDebian.Installer {
  constructor(options, config) {
    super(options);
    this.config = config;
  }

  get stagingAppDir() {
    return join(this.stagingDir, installFolder(this.config));
  }

  get contentFunctions() {
    return ['copyApplication', 'copyScripts', 'createControl', 'copyOurs'];
  }

  async copyOurs() {
    writeContents(this.config, 'deb', this.stagingDir);
  }

  /** Its own dependencies are for every Electron since version 1. */
  async generateDefaults() {
    await super.generateDefaults();
    for (const kind of ['depends', 'recommends', 'suggests', 'enhances', 'preDepends']) this.defaults[kind] = [];
    return this.defaults;
  }
}

/**
 * Makes a deb of an unpacked app with dpkg and fakeroot.
 * @returns {Promise<string>} its path
 */
export async function makeDeb({ config, app, arch, version, output, isCompressed }) {
  const deb = new Deb(
    {
      src: app,
      dest: output,
      arch: archOf('deb', arch),
      rename: () => join(output, artifactName(config, { version, os: 'linux', arch, ext: 'deb' })),
      logger: () => undefined,
      compression: isCompressed ? 'xz' : 'none',
      options: {
        name: config.executable,
        version: electronInstallerDebian.transformVersion(version),
        section: config.deb.packageCategory,
        maintainer: config.linux.maintainer,
        description: config.linux.synopsis,
        productDescription: config.description,
        depends: config.deb.depends,
        recommends: config.deb.recommends,
        scripts: { postinst: inRoot(config.deb.afterInstall), postrm: inRoot(config.deb.afterRemove) },
      },
    },
    config,
  );
  return runInstaller(deb);
}
