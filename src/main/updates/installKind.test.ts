import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installKind, packageFor, type InstalledApp } from './installKind';

let resources: string;
beforeEach(() => {
  resources = mkdtempSync(join(tmpdir(), 'fullhouse-resources-'));
});
afterEach(() => rmSync(resources, { recursive: true, force: true }));

const kindOf = (platform: NodeJS.Platform, more: Partial<InstalledApp> = {}) =>
  installKind({ platform, isPackaged: true, resources, environment: {}, ...more });

it('replaces what can be replaced without a password', () => {
  expect(kindOf('win32')).toMatchObject({ way: 'replace', by: 'nsis' });
  expect(kindOf('darwin')).toMatchObject({ way: 'replace', by: 'mac' });
  expect(kindOf('linux', { environment: { APPIMAGE: '/opt/F.AppImage' } })).toMatchObject({
    way: 'replace',
    by: 'appimage',
  });
});

it('downloads the package of a package manager, and of a clone, only', () => {
  for (const type of ['deb', 'rpm']) {
    writeFileSync(join(resources, 'package-type'), `${type}\n`);
    expect(kindOf('linux')).toEqual({ way: 'package', extension: type });
  }
  writeFileSync(join(resources, 'package-type'), '../../etc');
  expect(kindOf('linux')).toEqual({ way: 'package', extension: 'tar.gz' });
  expect(kindOf('win32', { environment: { PORTABLE_EXECUTABLE_DIR: 'E:\\' } })).toMatchObject({ way: 'package' });
  expect(kindOf('linux', { isPackaged: false })).toEqual({ way: 'package', extension: 'tar.gz' });
});

it('finds the package by its kind and processor', () => {
  const files = ['F-0.2.0-x86_64.rpm', 'F_0.2.0_arm64.deb', 'F_0.2.0_amd64.deb'].map((url) => ({ url }));
  expect(packageFor(files, { way: 'package', extension: 'deb' }, 'x64')?.url).toBe('F_0.2.0_amd64.deb');
  expect(packageFor(files, { way: 'package', extension: 'deb' }, 'arm64')?.url).toBe('F_0.2.0_arm64.deb');
  expect(packageFor(files, { way: 'package', extension: 'tar.gz' }, 'x64')).toBeUndefined();
  expect(packageFor([{ url: 'F-0.2.0.tar.gz' }], { way: 'package', extension: 'tar.gz' }, 'x64')?.url).toBe(
    'F-0.2.0.tar.gz',
  );
});
