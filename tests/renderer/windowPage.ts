import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { JSHandle, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import type { ShellEvents } from '../../src/contract/shell';
import { testIds } from '../../src/renderer/ui/testIds';
import { startApp } from '../e2e/app';

const root = join(__dirname, '..', '..');
const folder = join(root, 'out', 'preview');
/** Of a window as `show` opens it, in px. */
const size = { width: 1440, height: 900 };
const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** The window on the fake engine, in the real runtime. */
export interface WindowPage {
  readonly page: Page;
  /** Console errors, including violations of the content security policy. */
  readonly errors: string[];
  find(id: keyof typeof testIds): Locator;
  /** Sends an event of the main process to the window, e.g. a selected menu entry. */
  sendShellEvent<E extends keyof ShellEvents>(name: E, payload: ShellEvents[E]): Promise<void>;
  /** Sizes the content of the window, in px of the screen. */
  resize(width: number, height: number): Promise<void>;
  /** Enlarges the page, as by `Larger text`. */
  zoom(factor: number): Promise<void>;
  /** A picture of the window as it is on the screen, also of an enlarged page; PNG. */
  capture(): Promise<Buffer>;
  /** Opens a scenario of the fake engine, e.g. `scenario=pull742`. */
  show(query: string): Promise<void>;
  close(): Promise<void>;
}

/** Once for all test files: it takes as long as some of them. */
async function buildPage(): Promise<void> {
  const sources = ['src', join('tests', 'renderer'), join('tests', 'scenario')].map((each) => join(root, each));
  const builtMs = await stat(join(folder, 'index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (builtMs > Math.max(...(await Promise.all(sources.map(newestMs))))) return;
  await build({
    configFile: join(root, 'tests', 'renderer', 'preview', 'vite.config.mts'),
    logLevel: 'warn',
  });
}

/** Last change of a file, or of any file in a folder. */
async function newestMs(path: string): Promise<number> {
  const { mtimeMs } = await stat(path);
  const below = await readdir(path).catch(() => []);
  return Math.max(mtimeMs, ...(await Promise.all(below.map((name) => newestMs(join(path, name))))));
}

export async function openWindowPage(): Promise<WindowPage> {
  await buildPage();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname === '/' ? 'index.html' : pathname;
    readFile(join(folder, name)).then(
      (body) => response.setHeader('Content-Type', mimeTypes[extname(name)] ?? 'application/octet-stream').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page server got no port.');
  const base = `http://127.0.0.1:${address.port}/`;

  const app = await startApp();
  const errors: string[] = [];
  const opened = app.electron.waitForEvent('window');
  // Of a separate session, since the app's refuses other pages.
  await app.electron.evaluate(({ BrowserWindow }) => {
    const webPreferences = { partition: 'window-page', sandbox: true, backgroundThrottling: false };
    return new BrowserWindow({ webPreferences }).loadURL('about:blank');
  });
  const page = await opened;
  const browserWindow = (await app.electron.browserWindow(page)) as JSHandle<BrowserWindow>;
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));

  async function show(query: string): Promise<void> {
    await page.emulateMedia({ reducedMotion: null, forcedColors: null, colorScheme: null, contrast: null });
    // From the main process: a page of the app must not navigate itself.
    await browserWindow.evaluate(
      async (window, { url, width, height }) => {
        window.setSize(width, height);
        window.webContents.setZoomFactor(1);
        await window.loadURL(url);
      },
      { url: `${base}?${query}`, ...size },
    );
    await page.getByTestId(testIds.pullButton).waitFor();
    // A node is drawn from the engine's state: keys of a run would do nothing before.
    await page.locator('[data-node]').first().waitFor({ state: 'attached' });
  }
  return {
    page,
    errors,
    find: (id) => page.getByTestId(testIds[id]),
    show,
    resize: (width, height) =>
      browserWindow.evaluate((window, to) => window.setContentSize(to.width, to.height), { width, height }),
    zoom: (factor) => browserWindow.evaluate((window, wanted) => window.webContents.setZoomFactor(wanted), factor),
    capture: async () => {
      const data = await browserWindow.evaluate(async (window) =>
        (await window.webContents.capturePage()).toPNG().toString('base64'),
      );
      return Buffer.from(data, 'base64');
    },
    sendShellEvent: (name, payload) =>
      page.evaluate(
        ([event, what]) =>
          (window as unknown as { sendShellEvent: (name: unknown, payload: unknown) => void }).sendShellEvent(
            event,
            what,
          ),
        [name, payload] as const,
      ),
    close: async () => {
      await app.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
