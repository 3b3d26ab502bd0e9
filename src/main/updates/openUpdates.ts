import { join } from 'node:path';
import { app, dialog } from 'electron';
import type { UpdateState } from '../../contract/updateCalls';
import type { AppLog } from '../log/appLog';
import { JsonFile } from '../jsonFile';
import { packageVariables, installKind } from './installKind';
import type { UpdateSource } from './updateSource';
import { Updates } from './updates';
import { keepOldData, startedVersion, type VersionChange } from './versionChange';
import { variablesOf } from '../../engine/base/variables';

/** After the start, which should not wait for a request. */
const firstCheckMs = 10_000;
const checkEveryMs = 24 * 3_600_000;

export interface OpenUpdatesOptions {
  /** Folder of the app's data. */
  readonly data: string;
  readonly version: string;
  readonly address: () => string | undefined;
  readonly log: AppLog;
  readonly file: VersionFile;
  readonly changed: (state: UpdateState) => void;
}

export type VersionFile = JsonFile<typeof startedVersion>;

/** What is remembered of the version that was started last; read once. */
export const versionFile = (data: string, problem: (sentence: string) => void): VersionFile =>
  new JsonFile(join(data, 'version.json'), startedVersion, {}, problem);

/**
 * To be called before anything reads the app's data: keeps that of the previous version first. If it can't be kept, the
 * user decides whether to start without a copy.
 */
export function noteVersionOrAsk(data: string, version: string, file: VersionFile): VersionChange | 'quit' | undefined {
  try {
    return keepOldData(data, version, file);
  } catch (error) {
    const choice = dialog.showMessageBoxSync({
      type: 'warning',
      message: `The data of the previous version could not be copied to ${join(data, 'backups')}`,
      detail: `${(error as Error).message}\nFullhouse ${version} may convert settings and nodes so that the previous version can't read them.`,
      buttons: ['Quit', 'Start without a copy'],
      defaultId: 0,
      cancelId: 0,
    });
    return choice === 0 ? 'quit' : undefined;
  }
}

/** Updates of this installation. With an address it looks for them after the start and once a day. */
export function openUpdates(options: OpenUpdatesOptions, change: VersionChange | undefined): Updates {
  const { data, version, file, log } = options;
  const kind = installKind({
    platform: process.platform,
    isPackaged: app.isPackaged,
    resources: process.resourcesPath,
    environment: variablesOf(packageVariables),
  });
  const open = async (address: string): Promise<UpdateSource> => {
    const { openElectronUpdater } = await import('./electronUpdater');
    return openElectronUpdater({
      ...{ kind, address, folder: join(data, 'updates'), resources: process.resourcesPath },
      downloads: app.getPath('downloads'),
      log: {
        error: (text) => log.add('error', 'updates', String(text)),
        warn: (text) => log.add('warn', 'updates', String(text)),
        info: (text) => log.add('info', 'updates', String(text)),
        debug: (text) => log.add('debug', 'updates', String(text)),
      },
    });
  };
  const updates = new Updates(
    {
      current: version,
      kind,
      address: options.address,
      // A build without the updater has no code of it: the bundler drops the import above.
      ...(__OFFLINE_BUILD__ ? {} : { open }),
      changed: options.changed,
      remember: (offered, notes) => file.write({ ...file.value, offered: { version: offered, notes } }),
    },
    // A version that wrote none is too old to be known.
    change?.from === undefined ? undefined : { ...change, from: change.from },
  );
  if (change)
    log.add('info', 'updates', `Data of ${change.from ?? 'an earlier version'} was copied to ${change.backup}.`);
  const first = setTimeout(() => void updates.check(), firstCheckMs);
  const repeated = setInterval(() => void updates.check(), checkEveryMs);
  app.once('will-quit', () => {
    clearTimeout(first);
    clearInterval(repeated);
  });
  return updates;
}
