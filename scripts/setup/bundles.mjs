import { existsSync } from 'node:fs';
import { mustRun } from './command.mjs';
import { isOffline } from './offline.mjs';
import { inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';

/** Bundles that one build command creates from some folders of src. */
function bundle({ part, title, folders, files, outputs, command, extra }) {
  const sources = () =>
    hashOf([...folders.map((folder) => inRoot('src', folder)), ...files.map((file) => inRoot(file))], {
      accept: (path) => !/\.test\.[a-z]+$|_test\.go$/.test(path),
      extra,
    });
  return {
    title,
    isReady: () => outputs.every((path) => existsSync(inRoot(path))) && readStamp(part) === sources(),
    async make() {
      const hash = sources();
      await mustRun(
        `Building the ${title}`,
        process.execPath,
        command.map((word, index) => (index ? word : inRoot(word))),
        {
          timeoutMs: 600_000,
        },
      );
      writeStamp(part, hash);
    },
  };
}

const common = ['domain', 'contract', 'engine'];
const build = ['package-lock.json', 'tsconfig.base.json', 'vite.shared.mjs'];
/** What an anonymized copy keeps of a text are the words of these; see `src/domain/redaction/words.ts`. */
const words = ['scripts/words', 'agent/cmd', 'agent/internal', 'src/renderer/player', 'src/renderer/features'];

export const bundles = bundle({
  part: 'bundles',
  title: 'app bundles',
  folders: [...common, 'main', 'preload', 'renderer'],
  files: [...build, ...words, 'electron.vite.config.ts', 'assets/fonts'],
  outputs: [
    'out/main/index.js',
    'out/main/engine.js',
    'out/main/runReader.js',
    'out/main/app.js',
    'out/main/engineProgram.js',
    'out/main/runReaderProgram.js',
    'out/preload/index.js',
    'out/renderer/index.html',
  ],
  command: ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'],
  extra: isOffline ? 'without the updater' : undefined,
});

export const viewerPage = bundle({
  part: 'viewer-page',
  title: 'page of browser viewers',
  folders: ['domain', 'contract', 'renderer/client', 'renderer/player', 'renderer/viewerPage'],
  files: [...build, 'vite.viewer.config.mts'],
  outputs: ['out/viewer-page/index.html'],
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.viewer.config.mts', '--logLevel', 'warn'],
});

export const cli = bundle({
  part: 'cli',
  title: 'command line bundle',
  folders: [...common, 'cli'],
  files: [...build, ...words, 'vite.cli.config.mts'],
  outputs: ['out/cli/index.js', 'out/cli/runReader.js'],
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.cli.config.mts', '--logLevel', 'warn'],
});
