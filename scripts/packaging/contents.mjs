import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from '../setup/paths.mjs';

/** Where deb and rpm install the app, as electron-builder does. */
export const installFolder = (config) => `/opt/${config.productName}`;

/**
 * Writes what deb and rpm have besides the app: the files of electron.builder.yml, desktop entry, type of run files and
 * icons.
 * @param {object} config electron.builder.yml, read
 * @param {'deb' | 'rpm'} kind
 * @param {string} root the root of the package
 */
export function writeContents(config, kind, root) {
  for (const line of config[kind].fpm) {
    const [from, place] = line.split('=');
    put(join(root, place), (to) => copyFileSync(inRoot(from), to), statSync(inRoot(from)).mode & 0o111 ? 0o755 : 0o644);
  }
  const profile = join(root, installFolder(config), 'resources', 'apparmor-profile');
  put(profile, (to) => copyFileSync(inRoot(config[kind].appArmorProfile), to), 0o644);
  const texts = {
    // By it the app knows which package to offer as an update; electron-builder writes the same.
    [`${installFolder(config)}/resources/package-type`]: kind,
    [`usr/share/applications/${config.executable}.desktop`]: desktopEntry(config),
    [`usr/share/mime/packages/${config.executable}.xml`]: mimeTypes(config),
  };
  for (const [place, text] of Object.entries(texts)) put(join(root, place), (to) => writeFileSync(to, text), 0o644);
  for (const file of readdirSync(inRoot(config.linux.icon))) {
    const place = join(root, 'usr/share/icons/hicolor', file.replace('.png', ''), 'apps', `${config.executable}.png`);
    put(place, (to) => copyFileSync(inRoot(config.linux.icon, file), to), 0o644);
  }
}

function put(path, write, mode) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  write(path);
  chmodSync(path, mode);
}

const listOf = (values) => values.map((value) => `${value};`).join('');

/** The desktop entry, with the fields that electron-builder writes. */
export function desktopEntry(config) {
  const fields = {
    Name: config.productName,
    Exec: `${installFolder(config)}/${config.executable} %U`,
    Terminal: 'false',
    Type: 'Application',
    Icon: config.executable,
    StartupWMClass: config.executable,
    ...config.linux.desktop.entry,
    Comment: config.description,
    MimeType: listOf([
      ...config.fileAssociations.map(({ mimeType }) => mimeType),
      ...config.protocols.flatMap(({ schemes }) => schemes.map((scheme) => `x-scheme-handler/${scheme}`)),
    ]),
    Categories: listOf([config.linux.category]),
  };
  return `[Desktop Entry]\n${Object.entries(fields)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}`;
}

function mimeTypes(config) {
  const types = config.fileAssociations.map(
    ({ mimeType, ext, description }) =>
      `  <mime-type type="${mimeType}">\n    <comment>${description}</comment>\n    <glob pattern="*.${ext}"/>\n  </mime-type>\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
${types.join('')}</mime-info>
`;
}
