import { app, dialog, type WebContents } from 'electron';
import { crashLoopMs } from '../engineProcess';
import type { CrashFiles } from './crashFiles';

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
