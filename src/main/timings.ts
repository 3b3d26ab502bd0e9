import { app, type BrowserWindow } from 'electron';
import { variable } from '../engine/base/variables';

/**
 * A step of the start, as a line of JSON on stdout, with `FULLHOUSE_TIMINGS=1`. Times are ms since the process was
 * created.
 */
export function timing(step: string): void {
  if (variable('FULLHOUSE_TIMINGS') !== '1') return;
  // Electron reports when the process was created; Node's own clock starts later.
  const createdMs = process.getCreationTime() ?? performance.timeOrigin;
  process.stdout.write(`${JSON.stringify({ timing: step, ms: Math.round(Date.now() - createdMs) })}\n`);
}

/** Prints the steps of the window. */
export function reportTimings(window: BrowserWindow): void {
  if (variable('FULLHOUSE_TIMINGS') !== '1') return;
  timing('app-ready');
  window.once('show', () => timing('window-shown'));
  window.webContents.once('did-finish-load', () => {
    timing('page-loaded');
    // A node's row is drawn from the engine's state: then the entire window is usable.
    window.webContents
      .executeJavaScript(
        `new Promise((resolve) => {
          const look = () => (document.querySelector('[data-node]') ? resolve() : requestAnimationFrame(look));
          look();
        })`,
      )
      .then(() => timing('usable'))
      .catch((error: unknown) => console.error(`The page did not become usable: ${String(error)}`));
  });
  app.once('quit', () => timing('quit'));
}
