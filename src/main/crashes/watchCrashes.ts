import { app, crashReporter, dialog, type WebContents } from 'electron';
import { crashLoopMs, engineName } from '../engineProcess';
import { runReaderName } from '../runReaders';
import type { CrashedProcess, CrashFiles } from './crashFiles';
import { errorText } from '../../domain/text/errorText';

/** Crashpad writes minidumps to `app.getPath('crashDumps')` and sends none. To be called before the app is ready. */
export function startCrashReporter(): void {
  crashReporter.start({ uploadToServer: false, compress: false, globalExtra: { _productName: 'Fullhouse' } });
}

/** Ends of processes that are no crash. */
const orderly: ReadonlySet<string> = new Set(['clean-exit', 'killed']);

/**
 * Records crashes of the app's processes, except window and engine: their owners restart them, and report it. An error
 * that nothing has handled leaves the main process running, since it ends a run otherwise.
 */
export function watchCrashes(files: CrashFiles, onProblem: (sentence: string) => void): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (orderly.has(reason) || isEngine(name) || isEngine(serviceName)) return;
    void files.record(processOf(type, name ?? serviceName), `${reason} (exit code ${exitCode})`);
  });
  const failed = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(`Unhandled error: ${text}`);
    void files.record('main', text, 'none');
    onProblem(
      `Fullhouse had an internal error: ${errorText(error)}. ` +
        'It continues; restart it if something does not respond (Help > Show crash files).',
    );
  };
  process.on('uncaughtException', failed);
  process.on('unhandledRejection', failed);
}

const isEngine = (name: string | undefined): boolean => name === engineName;

function processOf(type: string, name: string | undefined): CrashedProcess {
  if (name === runReaderName) return 'reader';
  return type === 'GPU' ? 'gpu' : 'utility';
}

/** Reloads the page when its process crashes, and ends the app if it crashes again within a minute. */
export function reloadAfterCrash(page: WebContents, crashes: CrashFiles): void {
  // A crashed page has no process id any more.
  let pid: number | undefined;
  page.on('dom-ready', () => (pid = page.getOSProcessId()));
  let lastCrashMs = Number.NEGATIVE_INFINITY;
  page.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    void crashes.record('window', reason, pid);
    const isLoop = performance.now() - lastCrashMs < crashLoopMs;
    lastCrashMs = performance.now();
    if (isLoop) {
      dialog.showErrorBox(
        'Fullhouse has to close',
        `The window's process ended twice within a minute (${reason}). The run is saved.`,
      );
      app.quit();
      return;
    }
    console.error(`The window's process ended (${reason}) and was reloaded; the run continues.`);
    page.reload();
  });
}
