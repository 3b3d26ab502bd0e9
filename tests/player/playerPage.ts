import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { startApp, until } from '../e2e/app';
import type { PlayerPageControl } from './page/main';

declare global {
  interface Window {
    playerPage: PlayerPageControl;
  }
}

const root = join(__dirname, '..', '..');
const folder = join(root, 'out', 'player-page');
const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface PlayerPage {
  readonly page: Page;
  /** Console errors, including violations of the content security policy. */
  readonly errors: string[];
  /** Another window of the same app, in a session of its own without the app's content security policy. */
  openWindow(url: string): Promise<Page>;
  close(): Promise<void>;
}

/** Only the player, in a window of the real runtime with the app's switches and a synthetic camera. */
export async function openPlayerPage(): Promise<PlayerPage> {
  const server = createServer((request, response) => {
    const path = request.url === '/' || request.url === undefined ? '/index.html' : request.url;
    readFile(join(folder, path)).then(
      (body) => response.setHeader('Content-Type', mimeTypes[extname(path)] ?? 'application/octet-stream').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page server got no port.');

  const app = await startApp({
    args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  });
  const openWindow = async (url: string): Promise<Page> => {
    const opened = app.electron.waitForEvent('window');
    await app.electron.evaluate(({ BrowserWindow }, wanted) => {
      const window = new BrowserWindow({
        width: 1440,
        height: 900,
        // A separate session: the app's session grants nothing to other pages.
        webPreferences: { partition: 'player-page', sandbox: true, backgroundThrottling: false },
      });
      return window.loadURL(wanted);
    }, url);
    return opened;
  };
  const page = await openWindow(`http://127.0.0.1:${address.port}/`);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await until('the test page', () => page.evaluate(() => typeof window.playerPage === 'object'));
  return {
    page,
    errors,
    openWindow,
    close: async () => {
      await app.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
