import { app, type BrowserWindow } from 'electron';
import { variable } from '../engine/base/variables';

/**
 * Duration of the start, as lines of JSON on stdout, with `FULLHOUSE_TIMINGS=1`. Times are ms since the process was
 * created.
 */
export function reportTimings(window: BrowserWindow): void {
  if (variable('FULLHOUSE_TIMINGS') !== '1') return;
  // Electron reports when the process was created; Node's own clock starts later.
  const createdMs = process.getCreationTime() ?? performance.timeOrigin;
  const print = (step: string): void => {
    process.stdout.write(`${JSON.stringify({ timing: step, ms: Math.round(Date.now() - createdMs) })}\n`);
  };
  print('app-ready');
  window.once('show', () => print('window-shown'));
  window.webContents.once('did-finish-load', () => {
    print('page-loaded');
    // A node's row is drawn from the engine's state: then the entire window is usable.
    window.webContents
      .executeJavaScript(
        `new Promise((resolve) => {
          const look = () => (document.querySelector('[data-node]') ? resolve() : requestAnimationFrame(look));
          look();
        })`,
      )
      .then(() => print('usable'))
      .catch((error: unknown) => console.error(`The page did not become usable: ${String(error)}`));
  });
  app.once('quit', () => print('quit'));
}
