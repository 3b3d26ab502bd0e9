import { constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import {
  AppImageUpdater,
  AppUpdater,
  BaseUpdater,
  CancellationToken,
  type Logger,
  MacUpdater,
  NsisUpdater,
} from 'electron-updater';
import type { Session } from 'electron';
import type { DownloadExecutorResult, DownloadUpdateOptions } from 'electron-updater/out/AppUpdater';
import { parse as parseYaml, stringify } from 'yaml';
import { z } from 'zod';
import { type InstallKind, packageFor } from './installKind';
import { Cancelled, publishedVersion, type UpdateSource } from './updateSource';
import { isTrustedTransport } from './updateAddress';

export interface ElectronUpdaterOptions {
  readonly kind: InstallKind;
  readonly address: string;
  /** Folder of our own files about updates. */
  readonly folder: string;
  /** Where a package is put that the user installs. */
  readonly downloads: string;
  readonly resources: string;
  readonly log: Logger;
}

/** What we read of `app-update.yml`, which electron-builder writes into signed packages for Windows. */
const builtConfig = z.object({ publisherName: z.union([z.string(), z.array(z.string())]).optional() }).catch({});

const guarded = new WeakSet<Session>();

/** The folder of packages at an address. Nothing is requested before `check`. */
export function openElectronUpdater(options: ElectronUpdaterOptions): UpdateSource {
  const updater = updaterOf(options.kind);
  updater.logger = options.log;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  updater.allowDowngrade = false;
  // A share of users would need an identifier of this installation.
  updater.isUserWithinRollout = () => true;
  updater.forceDevUpdateConfig = true;
  updater.updateConfigPath = writeConfig(options);
  updater.setFeedURL({ provider: 'generic', url: options.address });
  guard(updater.netSession);
  // Rejections have the same errors; without a listener the event would throw.
  updater.on('error', () => undefined);
  let token: CancellationToken | undefined;

  return {
    check: async () => {
      const result = await updater.checkForUpdates();
      return result?.isUpdateAvailable ? publishedVersion.parse(result.updateInfo) : undefined;
    },
    download: async (onProgress) => {
      const cancellation = new CancellationToken();
      token = cancellation;
      const progress = ({ percent, transferred, bytesPerSecond }: Progress): void =>
        onProgress({ percent, bytes: transferred, bytesPerSecond });
      updater.on('download-progress', progress);
      try {
        const [file] = await updater.downloadUpdate(cancellation);
        if (file === undefined) throw new Error('Nothing was downloaded');
        return options.kind.way === 'package' ? await copyTo(options.downloads, file) : file;
      } catch (error) {
        throw cancellation.cancelled ? new Cancelled() : error;
      } finally {
        updater.off('download-progress', progress);
      }
    },
    cancel: () => token?.cancel(),
    install: () => {
      if (updater instanceof MacUpdater) {
        updater.quitAndInstall();
        return true;
      }
      if (updater instanceof BaseUpdater) updater.install(true, false);
      return false;
    },
  };
}

interface Progress {
  readonly percent: number;
  readonly transferred: number;
  readonly bytesPerSecond: number;
}

function updaterOf(kind: InstallKind): AppUpdater {
  if (kind.way === 'package') return new PackageUpdater(kind);
  switch (kind.by) {
    case 'nsis':
      return new NsisUpdater();
    case 'mac':
      return new MacUpdater();
    case 'appimage':
      return new AppImageUpdater();
  }
}

/** electron-updater reads its cache's name, and the publisher whose signature it requires, from a file. */
function writeConfig({ folder, address, resources }: ElectronUpdaterOptions): string {
  const built = join(resources, 'app-update.yml');
  const { publisherName } = builtConfig.parse(existsSync(built) ? parseYaml(readFileSync(built, 'utf8')) : {});
  const path = join(folder, 'app-update.yml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path,
    stringify({
      provider: 'generic',
      url: address,
      updaterCacheDirName: 'fullhouse-updater',
      ...(publisherName === undefined ? {} : { publisherName }),
    }),
  );
  return path;
}

/**
 * All requests of updates have a session of their own. Redirects and packages elsewhere are refused like an address that
 * is not trusted; the identifier that electron-updater sends for gradual rollouts is removed.
 */
function guard(session: Session): void {
  if (guarded.has(session)) return;
  guarded.add(session);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isTrustedTransport(url) }));
  session.webRequest.onBeforeSendHeaders(({ requestHeaders }, answer) => {
    const headers = Object.entries(requestHeaders).filter(([name]) => name.toLowerCase() !== 'x-user-staging-id');
    answer({ requestHeaders: Object.fromEntries(headers) });
  });
}

/** Under a free name: a file of the user is never replaced. */
async function copyTo(folder: string, file: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const { name, ext } = parse(basename(file));
  for (let each = 1; ; each += 1) {
    const path = join(folder, each === 1 ? `${name}${ext}` : `${name} (${each})${ext}`);
    try {
      await copyFile(file, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Not part of the declared class, although each of its updaters uses it. */
interface WithExecutor {
  readonly httpExecutor: { download(url: URL, destination: string, options: object): Promise<string> };
}

/**
 * Downloads and verifies a package, and never installs it: electron-updater's own updaters of Linux packages would start
 * `sudo` or `pkexec` when the app quits.
 */
class PackageUpdater extends AppUpdater {
  constructor(private readonly kind: InstallKind) {
    super(undefined);
  }

  override quitAndInstall(): void {
    throw new Error('Packages are installed by the user.');
  }

  protected override doDownloadUpdate(options: DownloadUpdateOptions): Promise<DownloadExecutorResult> {
    const { info, provider } = options.updateInfoAndProvider;
    const files = provider.resolveFiles(info);
    const packageFile = packageFor(
      files.map((file) => ({ url: file.url.pathname, file })),
      this.kind,
    );
    if (!packageFile) throw new Error(`There is no .${this.kind.extension} package of ${info.version}`);
    const { file } = packageFile;
    const { httpExecutor } = this as unknown as WithExecutor;
    return this.executeDownload({
      fileExtension: this.kind.extension,
      fileInfo: file,
      downloadUpdateOptions: options,
      task: (destination, downloadOptions) => httpExecutor.download(file.url, destination, downloadOptions),
      done: () => Promise.resolve(),
    });
  }
}
