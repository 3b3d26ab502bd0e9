import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VariableValues } from '../../engine/base/variables';

/** How this installation is updated. */
export type InstallKind =
  /** The updater of electron-updater replaces the app when it quits. */
  | { readonly way: 'replace'; readonly by: 'nsis' | 'appimage' | 'mac'; readonly extension: string }
  /** The package is downloaded, and the user installs it: nothing asks for a password by itself. */
  | { readonly way: 'package'; readonly extension: string };

/** Set by the package that runs. */
export const packageVariables = ['APPIMAGE', 'PORTABLE_EXECUTABLE_DIR'] as const;
type PackageVariable = (typeof packageVariables)[number];

export interface InstalledApp {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly resources: string;
  readonly environment: VariableValues<PackageVariable>;
}

/** electron-builder and our packaging write the kind of a Linux package there. */
const packageTypes: ReadonlySet<string> = new Set(['deb', 'rpm', 'pacman', 'flatpak']);

export function installKind({ platform, isPackaged, resources, environment }: InstalledApp): InstallKind {
  if (!isPackaged) return { way: 'package', extension: platform === 'linux' ? 'tar.gz' : 'zip' };
  if (platform === 'win32')
    return environment.PORTABLE_EXECUTABLE_DIR === undefined
      ? { way: 'replace', by: 'nsis', extension: 'exe' }
      : { way: 'package', extension: 'zip' };
  if (platform === 'darwin') return { way: 'replace', by: 'mac', extension: 'zip' };
  if (environment.APPIMAGE !== undefined) return { way: 'replace', by: 'appimage', extension: 'AppImage' };
  return { way: 'package', extension: linuxPackage(resources) };
}

function linuxPackage(resources: string): string {
  const file = join(resources, 'package-type');
  const type = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return packageTypes.has(type) ? type : 'tar.gz';
}

/** The package for this installation among those of a version; for its processor if the names tell them apart. */
export function packageFor<File extends { readonly url: string }>(
  files: readonly File[],
  { extension }: InstallKind,
  arch: string = process.arch,
): File | undefined {
  const named = files.filter(({ url }) => url.toLowerCase().endsWith(`.${extension.toLowerCase()}`));
  return (
    named.find(({ url }) => archNames(arch).some((name) => url.includes(name))) ??
    (named.length === 1 ? named[0] : undefined)
  );
}

/** Debian, RPM and electron-builder have names of their own. */
function archNames(arch: string): readonly string[] {
  return arch === 'x64' ? ['x64', 'x86_64', 'amd64'] : arch === 'arm64' ? ['arm64', 'aarch64'] : [arch];
}
