import { _electron } from 'playwright-core';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { launchCommand } from '../../../scripts/runtime.mjs';
import { startDisplay } from '../../../scripts/testing/display.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const pageFile = here('../../../out/charts-page/index.html');

/** Builds the page with only the charts. */
export async function buildPage() {
  await build({ configFile: here('./vite.page.config.mts'), logLevel: 'warn' });
}

/**
 * Starts the Electron runtime and returns a function that opens a page, by default the charts', in a separate window.
 * @param {string} [file] the page's file
 * @returns {Promise<{ open: (query: string, width: number, height: number) => Promise<import('playwright-core').Page>,
 *   pids: () => Promise<number[]>, rendererMemoryMb: () => Promise<number>, close: () => Promise<void> }>}
 */
export async function startRuntime(file = pageFile) {
  const needsDisplay = process.platform === 'linux' && !process.env.DISPLAY;
  const display = needsDisplay ? await startDisplay() : undefined;
  const { program, args } = launchCommand();
  const app = await _electron.launch({
    executablePath: program,
    args,
    env: { ...process.env, ...(display ? { DISPLAY: display.name } : {}) },
  });
  let opened = 0;
  return {
    open: async (query, width, height) => {
      opened += 1;
      const search = `${query}&opened=${opened}`;
      await app.evaluate(
        async ({ BrowserWindow }, { path, search, size }) => {
          const window = new BrowserWindow({
            ...size,
            useContentSize: true,
            show: true,
            webPreferences: { sandbox: true, contextIsolation: true, backgroundThrottling: false },
          });
          await window.loadFile(path, { search });
        },
        { path: file, search, size: { width, height } },
      );
      // The app may have another window, and a closed one remains in the list briefly: this one is identified by its
      // content.
      const isOurs = (each) =>
        each.url().startsWith(pathToFileURL(file).href) && each.url().endsWith(`opened=${opened}`);
      const untilMs = Date.now() + 15_000;
      let page = app.windows().find(isOurs);
      while (!page && Date.now() < untilMs) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        page = app.windows().find(isOurs);
      }
      if (!page) throw new Error(`The page ${file} did not open in the Electron runtime.`);
      return page;
    },
    /** Of all processes of the runtime. */
    pids: () => app.evaluate(({ app: electron }) => electron.getAppMetrics().map(({ pid }) => pid)),
    rendererMemoryMb: () =>
      app.evaluate(({ app: electron }) => {
        const tabs = electron.getAppMetrics().filter((process) => process.type === 'Tab');
        return Math.max(...tabs.map((process) => process.memory.workingSetSize / 1024));
      }),
    close: async () => {
      await app.close();
      await display?.stop();
    },
  };
}
