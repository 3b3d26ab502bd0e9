import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, version as systemVersion } from 'node:os';
import { join } from 'node:path';
import { app, dialog, shell, type BrowserWindow } from 'electron';
import type { Settings } from '../../contract/shell';
import type { ShellHandlers } from '../bridge';
import type { CrashFiles } from '../crashes/crashFiles';
import type { EngineProcess } from '../engineProcess';
import type { AppLog } from '../log/appLog';
import { diagnosticsText } from './diagnosticsText';
import { errorText } from '../../domain/text/errorText';

export interface DiagnosticsParts {
  readonly window: BrowserWindow;
  readonly engine: EngineProcess;
  readonly log: AppLog;
  readonly crashes: CrashFiles;
  readonly crashFolder: string;
  readonly version: string;
  /** Files that may be opened. */
  readonly saved: Set<string>;
  readonly settings: () => Settings;
  readonly updates: () => unknown;
}

/** Lines of the log in a diagnostics file: some hours, or the last minutes at the level `debug`. */
const logLines = 5000;

/** Versions of what runs, for diagnostics and crash files. */
export function appVersions(version: string): Readonly<Record<string, string | undefined>> {
  const { electron, chrome, node } = process.versions;
  return { fullhouse: version, electron, chromium: chrome, node };
}

/** Calls of page and menu about log, diagnostics and crash files. */
export function diagnosticsHandlers(
  parts: DiagnosticsParts,
): Pick<ShellHandlers, 'shell.log' | 'shell.saveDiagnostics' | 'shell.showCrashFiles'> {
  const { window, engine, log, crashes, crashFolder } = parts;
  return {
    'shell.log': ({ level, text }) => {
      log.add(level, 'window', text);
      return { done: true };
    },
    'shell.saveDiagnostics': async () => {
      const savedAt = new Date().toISOString();
      const name = `fullhouse-diagnostics-${savedAt.slice(0, 16).replace(/[T:]/g, '-')}.json`;
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        defaultPath: join(app.getPath('downloads'), name),
        filters: [{ name: 'Diagnostics', extensions: ['json'] }],
      });
      if (canceled || !filePath) return null;
      // It is saved without the engine too, which may be the problem.
      const nodes = await engine.call('engine.state', {}).then((state) => state.nodes, errorText);
      const text = diagnosticsText(
        {
          savedAt,
          versions: appVersions(parts.version),
          system: {
            platform: `${process.platform} ${process.arch}`,
            system: `${systemVersion()} (${release()})`,
            processors: cpus().length,
            memoryBytes: totalmem(),
            locale: app.getLocale(),
          },
          settings: parts.settings(),
          nodes,
          updates: parts.updates(),
          crashFiles: crashes.names(),
          log: log.lastLines(logLines),
        },
        log.mask,
      );
      writeFileSync(filePath, text, { mode: 0o600 });
      parts.saved.add(filePath);
      return { path: filePath, bytes: Buffer.byteLength(text) };
    },
    'shell.showCrashFiles': async () => {
      mkdirSync(crashFolder, { recursive: true });
      const problem = await shell.openPath(crashFolder);
      if (problem !== '') throw new Error(`The folder ${crashFolder} could not be opened: ${problem}`);
      return { done: true };
    },
  };
}
