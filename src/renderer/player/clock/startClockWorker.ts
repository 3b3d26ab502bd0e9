/** Starts a worker that reads clock rows; the page of browser viewers has `startInlineClockWorker.ts` in its place. */
export const startClockWorker = (): Worker =>
  new Worker(new URL('./clockWorker.ts', import.meta.url), { type: 'module' });
