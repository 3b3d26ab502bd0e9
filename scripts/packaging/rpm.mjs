import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import electronInstallerRedhat from 'electron-installer-redhat';
import { archOf, artifactName } from './artifactName.mjs';
import { installFolder, writeContents } from './contents.mjs';
import { runInstaller } from './runInstaller.mjs';
import { inRoot } from '../setup/paths.mjs';

/** electron-installer-redhat with our place, files and dependencies: those of electron.builder.yml. */
class Rpm extends electronInstallerRedhat.Installer {
  constructor(options, config, payload) {
    super(options);
    this.config = config;
    this.payload = payload;
  }

  get stagingAppDir() {
    return join(this.stagingDir, 'BUILD', installFolder(this.config));
  }

  get contentFunctions() {
    return ['copyApplication', 'copyOurs', 'createSpec'];
  }

  async copyOurs() {
    writeContents(this.config, 'rpm', join(this.stagingDir, 'BUILD'));
  }

  async generateDefaults() {
    await super.generateDefaults();
    this.defaults.requires = [];
    return this.defaults;
  }

  /** Its own spec packs /usr only. */
  async createSpec() {
    mkdirSync(dirname(this.specPath), { recursive: true });
    writeFileSync(this.specPath, specOf(this.config, this.options, this.payload));
  }
}

const script = (file) => readFileSync(inRoot(file), 'utf8').replace(/^#!.*\n/, '');

/** The spec of an app that is already built. */
function specOf(config, { name, version, revision, license }, payload) {
  const { depends, afterInstall, afterRemove, fpm } = config.rpm;
  const app = installFolder(config);
  return `%define _binary_payload ${payload}
%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none

Name: ${name}
Version: ${version}
Release: ${revision}
Summary: ${config.linux.synopsis}
License: ${license}
Vendor: ${config.linux.vendor}
Requires: ${depends.join(', ')}
AutoReqProv: no

%description
${config.description}

%install
cp -a %{_topdir}/BUILD/opt %{_topdir}/BUILD/usr %{buildroot}/

%files
%defattr(-,root,root,-)
${app}
%dir /usr/share/doc/${name}
${fpm.map((line) => line.split('=')[1]).join('\n')}
/usr/share/applications/${name}.desktop
/usr/share/mime/packages/${name}.xml
/usr/share/icons/hicolor/*/apps/${name}.png

%post
${script(afterInstall)}
%postun
${script(afterRemove)}`;
}

/**
 * Makes an rpm of an unpacked app with rpmbuild.
 * @returns {Promise<string>} its path
 */
export async function makeRpm({ config, app, arch, version, output, isCompressed }) {
  const rpm = new Rpm(
    {
      src: app,
      dest: output,
      arch: archOf('rpm', arch),
      rename: () => join(output, artifactName(config, { version, os: 'linux', arch, ext: 'rpm' })),
      logger: () => undefined,
      options: { name: config.executable, description: config.linux.synopsis, productDescription: config.description },
    },
    config,
    // xz at its default level, or nothing.
    isCompressed ? 'w6.xzdio' : 'w.ufdio',
  );
  return runInstaller(rpm);
}
