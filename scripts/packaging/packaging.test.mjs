import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFor } from '../packageConfig.mjs';
import { inRoot } from '../setup/paths.mjs';
import { artifactName } from './artifactName.mjs';
import { commandPackages } from './commandPackages.mjs';
import { desktopEntry, writeContents } from './contents.mjs';
import { targetsOf } from './targets.mjs';

const { description } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const read = async () => ({
  ...(await configFor({ kind: 'own', version: '45.4.1' })),
  executable: 'fullhouse',
  description,
});

describe('packages by the tools of the system', () => {
  it.each([
    ['deb', 'x64', 'Fullhouse-1.2.3-linux-amd64.deb'],
    ['deb', 'arm64', 'Fullhouse-1.2.3-linux-arm64.deb'],
    ['rpm', 'x64', 'Fullhouse-1.2.3-linux-x86_64.rpm'],
    ['rpm', 'arm64', 'Fullhouse-1.2.3-linux-aarch64.rpm'],
    ['tar.gz', 'x64', 'Fullhouse-1.2.3-linux-x64.tar.gz'],
  ])('name a %s for %s as electron-builder does', async (ext, arch, name) => {
    expect(artifactName(await read(), { version: '1.2.3', os: 'linux', arch, ext })).toBe(name);
  });

  it('refuse an unknown field in a name', () => {
    expect(() => artifactName({ artifactName: '${channel}' }, { version: '1' })).toThrow(
      /\$\{channel\}, which is unknown/,
    );
  });

  it('are those named after --linux, or those of electron.builder.yml', () => {
    expect(targetsOf(['--linux', 'deb', 'rpm', '--publish', 'never'], ['tar.gz'])).toEqual(['deb', 'rpm']);
    expect(targetsOf(['--publish', 'never'], ['tar.gz'])).toEqual(['tar.gz']);
    expect(targetsOf(['--linux', '--publish', 'never'], ['tar.gz'])).toEqual(['tar.gz']);
    expect(targetsOf(['--linux', 'deb', '--dir'], ['tar.gz'])).toEqual([]);
  });

  it('have a desktop entry for run files and links', async () => {
    const entry = desktopEntry(await read());
    expect(entry).toContain('\nExec=/opt/Fullhouse/fullhouse %U\n');
    expect(entry).toContain('\nMimeType=application/x-fullhouse-run;x-scheme-handler/fullhouse;\n');
    expect(entry).toContain('\nCategories=Development;\n');
    expect(entry).toMatch(/^\[Desktop Entry\]\nName=Fullhouse\n/);
  });

  it('have the files of electron.builder.yml, programs among them executable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fullhouse-contents-'));
    try {
      writeContents(await read(), 'deb', folder);
      expect(statSync(join(folder, 'usr/bin/fullhouse')).mode & 0o777).toBe(0o755);
      expect(statSync(join(folder, 'usr/share/man/man1/fullhouse.1')).mode & 0o777).toBe(0o644);
      expect(readFileSync(join(folder, 'usr/share/mime/packages/fullhouse.xml'), 'utf8')).toContain(
        '<glob pattern="*.fullhouse"/>',
      );
      for (const size of [16, 48, 256, 512])
        statSync(join(folder, `usr/share/icons/hicolor/${size}x${size}/apps/fullhouse.png`));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have the packages that the command line loads, and no others', () => {
    const names = commandPackages();
    for (const name of ['libsql', 'ws', 'node-ssh', 'ssh2', 'tweetnacl'])
      expect(names).toContain(`node_modules/${name}`);
    expect(names.filter((name) => /zod|yaml|musl|vitest/.test(name))).toEqual([]);
  });

  it('have scripts that a plain sh reads, without variables in braces', () => {
    for (const file of ['after-install.sh', 'after-remove.sh', 'launcher.sh']) {
      const path = inRoot('build', 'linux', file);
      execFileSync('sh', ['-n', path]);
      // electron-builder would replace them.
      expect(readFileSync(path, 'utf8')).not.toContain('${');
    }
  });
});
