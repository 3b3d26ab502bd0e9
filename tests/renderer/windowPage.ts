import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { ElectronApplication, JSHandle, Locator, Page } from 'playwright-core';
import { test } from 'vitest';
import type { ShellEvents } from '../../src/contract/shell';
import { testIds } from '../../src/renderer/ui/testIds';
import { startApp } from '../e2e/app';
import { previewFolder } from './buildPage';

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
  /** Enlarges the page in a content of 1280 x 800, as by `Larger text`; resolves when the page has its new size. */
  zoom(factor: number): Promise<void>;
  /** A picture of the window as it is on the screen, also of an enlarged page; PNG. */
  capture(): Promise<Buffer>;
  /** Opens a scenario of the fake engine, e.g. `scenario=pull742`. */
  show(query: string): Promise<void>;
}

/** Serves the built page to windows of the same machine. */
async function servePage(): Promise<{ readonly base: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname === '/' ? 'index.html' : pathname;
    readFile(join(previewFolder, name)).then(
      (body) => response.setHeader('Content-Type', mimeTypes[extname(name)] ?? 'application/octet-stream').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page server got no port.');
  return {
    base: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the files of a worker share. */
interface WindowHost {
  readonly electron: ElectronApplication;
  /** Address of the page. */
  readonly base: string;
  close(): Promise<void>;
}

async function startHost(): Promise<WindowHost> {
  const [server, app] = await Promise.all([servePage(), startApp()]);
  // The app's own window would redraw its charts every second.
  // Loaded first: a load that is cut short is an error of the next one.
  await app.page.waitForLoadState('load');
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.loadURL('about:blank'));
  return {
    electron: app.electron,
    base: server.base,
    close: async () => {
      await app.close();
      await server.close();
    },
  };
}

let pagesOpened = 0;

/** A new window in a session of its own: nothing is left of another file. */
async function openWindowPage({ electron, base }: WindowHost): Promise<WindowPage & { close(): Promise<void> }> {
  const errors: string[] = [];
  const opened = electron.waitForEvent('window');
  // Not in the app's session, which refuses other pages.
  await electron.evaluate(
    ({ BrowserWindow }, partition) => {
      const webPreferences = { partition, sandbox: true, backgroundThrottling: false };
      return new BrowserWindow({ webPreferences }).loadURL('about:blank');
    },
    `window-page-${(pagesOpened += 1)}`,
  );
  const page = await opened;
  const browserWindow = (await electron.browserWindow(page)) as JSHandle<BrowserWindow>;
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
        // Keys reach the page that has the focus.
        window.webContents.focus();
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
    zoom: async (factor) => {
      await browserWindow.evaluate((window, wanted) => {
        window.setContentSize(1280, 800);
        window.webContents.setZoomFactor(wanted);
      }, factor);
      await page.waitForFunction((width) => innerWidth === width, 1280 / factor);
    },
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
    close: () => browserWindow.evaluate((window) => window.destroy()),
  };
}

/** Tests of the window: `windowPage` is one for each file, in the Electron of its worker. */
export const windowTest = test
  // Vitest reads the names of fixtures from this pattern, and refuses a parameter without one.
  // oxlint-disable-next-line no-empty-pattern
  .extend('windowHost', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const host = await startHost();
    onCleanup(() => host.close());
    return host;
  })
  .extend('windowPage', { scope: 'file' }, async ({ windowHost }, { onCleanup }): Promise<WindowPage> => {
    const window = await openWindowPage(windowHost);
    onCleanup(() => window.close());
    return window;
  });
