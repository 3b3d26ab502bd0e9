import { AppUpdater } from 'electron-updater';
import type { DownloadExecutorResult, DownloadUpdateOptions } from 'electron-updater/out/AppUpdater';
import { packageFor, type InstallKind } from './installKind';

/** Not part of the declared class, although each of its updaters uses it. */
interface WithExecutor {
  readonly httpExecutor: { download(url: URL, destination: string, options: object): Promise<string> };
}

/**
 * Downloads and verifies a package, and never installs it: electron-updater's own updaters of Linux packages would start
 * `sudo` or `pkexec` when the app quits.
 */
export class PackageUpdater extends AppUpdater {
  constructor(private readonly kind: InstallKind) {
    super(undefined);
  }

  override quitAndInstall(): void {
    throw new Error('Packages are installed by the user.');
  }

  protected override doDownloadUpdate(options: DownloadUpdateOptions): Promise<DownloadExecutorResult> {
    const { info, provider } = options.updateInfoAndProvider;
    const files = provider.resolveFiles(info);
    const found = packageFor(
      files.map((file) => ({ url: file.url.pathname, file })),
      this.kind,
    );
    if (!found) throw new Error(`There is no .${this.kind.extension} package of ${info.version}`);
    const { file } = found;
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
