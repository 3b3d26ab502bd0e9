import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Locator, type Page } from 'playwright-core';
import { launchCommand } from '../../scripts/runtime.mjs';
import type { Settings } from '../../src/contract/shell';
import { testIds } from '../../src/renderer/ui/testIds';

export interface AppOptions {
  readonly width?: number;
  readonly height?: number;
  readonly settings?: Partial<Settings>;
  /** Data folder of an earlier start, to check persisted state; a new one otherwise. */
  readonly folder?: string;
  /** Further arguments, e.g. a run file. */
  readonly args?: readonly string[];
  /** Environment; default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The real app with a separate data folder. */
export interface StartedApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly folder: string;
  readonly runsFolder: string;
  /** Console errors of the page, including violations of the content security policy. */
  readonly pageErrors: string[];
  find(id: keyof typeof testIds): Locator;
  /** Answers the next save dialogs with this path. */
  saveTo(path: string): Promise<void>;
  openFrom(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the built app. It must be ready (`scripts/setup.mjs`), and there must be a display. */
export async function startApp(options: AppOptions = {}): Promise<StartedApp> {
  const { program, args } = launchCommand();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'fullhouse-e2e-')));
  const data = join(folder, 'data');
  const runsFolder = join(folder, 'runs');
  await mkdir(data, { recursive: true });
  if (options.settings) await writeFile(join(data, 'settings.json'), JSON.stringify(options.settings));
  if (options.width && options.height) {
    const place = { x: 0, y: 0, width: options.width, height: options.height, maximised: false };
    await writeFile(join(data, 'window.json'), JSON.stringify(place));
  }

  const electron = await _electron.launch({
    executablePath: program,
    // Chromium drops keys and clicks until the first picture of a page, which comes late on a busy machine.
    args: [...args, '--allow-pre-commit-input', ...(options.args ?? [])],
    env: { ...environment(options.env), FULLHOUSE_DATA: data, FULLHOUSE_RUNS: runsFolder },
  });
  const page = await electron.firstWindow();
  const pageErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
  page.on('pageerror', (error) => pageErrors.push(error.message));

  return {
    electron,
    page,
    folder,
    runsFolder,
    pageErrors,
    find: (id) => page.getByTestId(testIds[id]),
    saveTo: (path) =>
      electron.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
      }, path),
    openFrom: (path) =>
      electron.evaluate(({ dialog }, filePath) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
      }, path),
    close: async () => {
      await electron.close();
      if (!options.folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

function environment(env = process.env): Record<string, string> {
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(known.filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'));
}

/** Waits until `look` returns something other than undefined or false; the limit allows for slow machines. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, limitMs = 60_000): Promise<T> {
  const endMs = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > endMs) throw new Error(`Timeout after ${limitMs / 1000} s, waiting for: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
