import script from './clockWorker.ts?script';

let url: string | undefined;

/** Starts a worker from the page's own script: once that page is connected, it is served nothing more. */
export function startClockWorker(): Worker {
  url ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(url);
}
