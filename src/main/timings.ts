import { app, type BrowserWindow } from 'electron';

/** How long the start took, as lines of JSON on stdout, when `FULLHOUSE_TIMINGS=1`. Times are ms since the process began. */
export function reportTimings(window: BrowserWindow): void {
  if (process.env['FULLHOUSE_TIMINGS'] !== '1') return;
  // Electron knows when the process was created; Node's own clock starts later.
  const createdMs = process.getCreationTime() ?? performance.timeOrigin;
  const tell = (step: string): void => {
    process.stdout.write(`${JSON.stringify({ timing: step, ms: Math.round(Date.now() - createdMs) })}\n`);
  };
  tell('app-ready');
  window.once('show', () => tell('window-shown'));
  window.webContents.once('did-finish-load', () => {
    tell('page-loaded');
    // A node's row is drawn from the engine's own state: with it the whole window can be used.
    window.webContents
      .executeJavaScript(
        `new Promise((resolve) => {
          const look = () => (document.querySelector('[data-node]') ? resolve() : requestAnimationFrame(look));
          look();
        })`,
      )
      .then(() => tell('usable'))
      .catch((error: unknown) => console.error(`The page did not become usable: ${String(error)}`));
  });
  app.once('quit', () => tell('quit'));
}
