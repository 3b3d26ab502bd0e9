import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from './program';
import { privateTempFolder } from './tempFolder';

/** Names of Chromium and of browsers built from it, as packages install them on Linux. */
export const chromiumNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
] as const;

const elsewhere: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** The Chromium of this machine; undefined if none is installed. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = chromiumNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...(elsewhere[process.platform] ?? [])].find((path) => existsSync(path));
}

/**
 * Arguments for a page without a screen: it plays without a user's gesture, at full rate although nothing is shown, with
 * candidates of loopback, and connects nowhere by itself. Without `isRoot` Chromium keeps its sandbox.
 */
export function chromiumArguments(url: string, { isRoot }: { readonly isRoot: boolean }): string[] {
  return [
    '--headless',
    '--disable-gpu',
    '--mute-audio',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-extensions',
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
    ...(isRoot ? ['--no-sandbox'] : []),
    url,
  ];
}

export interface RunningBrowser {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  end(): void;
}

/** Opens a page in a Chromium of this machine without a screen, with a profile of its own. */
export function startChromium(program: string, url: string): RunningBrowser {
  const profile = privateTempFolder();
  const args = [`--user-data-dir=${profile.path}`, ...chromiumArguments(url, { isRoot: process.getuid?.() === 0 })];
  const child = spawn(program, args, { env: environment(), stdio: 'ignore', windowsHide: true });
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  }).then(() => profile.remove());
  return { ended, end: () => void child.kill('SIGTERM') };
}
