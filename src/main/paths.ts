import { join } from 'node:path';
import { app } from 'electron';

/** Root of the app: the clone in development, the archive when packaged. This file is bundled to `out/main`. */
const root = join(__dirname, '..', '..');

/** Folders that the processes need, in a clone and in a packaged app. */
export function appPaths(): {
  readonly page: string;
  readonly viewerPage: string;
  readonly preload: string;
  readonly engine: string;
  readonly runReader: string;
  readonly agents: string;
  readonly lab: string;
  readonly icon: string;
  readonly notices: string;
  readonly runs: string;
  readonly log: string;
  readonly crashes: string;
} {
  // Programs and media that other processes open by path are outside the archive.
  const outside = app.isPackaged ? process.resourcesPath : root;
  return {
    page: join(root, 'out', 'renderer'),
    viewerPage: join(root, 'out', 'viewer-page'),
    preload: join(root, 'out', 'preload', 'index.js'),
    engine: join(root, 'out', 'main', 'engine.js'),
    runReader: join(root, 'out', 'main', 'runReader.js'),
    agents: app.isPackaged ? join(outside, 'agents') : join(root, 'build', 'agents'),
    lab: join(outside, 'assets', 'lab'),
    icon: join(outside, 'assets', 'icons', 'fullhouse-256.png'),
    notices: join(app.isPackaged ? outside : join(root, 'build'), 'THIRD-PARTY-NOTICES.txt'),
    runs: join(app.getPath('userData'), 'runs'),
    log: join(app.getPath('userData'), 'logs', 'fullhouse.log'),
    crashes: join(app.getPath('userData'), 'crashes'),
  };
}
