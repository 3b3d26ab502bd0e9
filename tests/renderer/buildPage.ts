import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { chromeTarget } from '../../vite.shared.mjs';

const root = join(__dirname, '..', '..');
const configFile = join(__dirname, 'preview', 'vite.config.mts');
/** Where the page of the window on the fake engine is built to. */
export const previewFolder = join(root, 'out', 'preview');

/** Once before all tests of the window: its page on the fake engine, unless it is newer than its sources. */
export async function setup(): Promise<void> {
  const sources = ['src', join('tests', 'renderer'), join('tests', 'scenario')].map((name) => join(root, name));
  const builtMs = await stat(join(previewFolder, 'index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (builtMs > Math.max(...(await Promise.all(sources.map(newestMs))))) return;
  await build({ configFile, logLevel: 'warn' });
  // The rules of boxes, for any page.
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      target: chromeTarget,
      outDir: previewFolder,
      emptyOutDir: false,
      lib: {
        entry: join(__dirname, 'boxes', 'page', 'index.ts'),
        formats: ['iife'],
        name: 'boxes',
        fileName: () => 'boxes.js',
      },
    },
  });
}

/** Last change of a file, or of any file in a folder. */
async function newestMs(path: string): Promise<number> {
  const { mtimeMs } = await stat(path);
  const below = await readdir(path).catch(() => []);
  return Math.max(mtimeMs, ...(await Promise.all(below.map((name) => newestMs(join(path, name))))));
}
