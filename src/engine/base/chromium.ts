import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ownUser } from './ownFiles';
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

const onMacOs = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const onWindows = [
  join('Google', 'Chrome', 'Application', 'chrome.exe'),
  join('Microsoft', 'Edge', 'Application', 'msedge.exe'),
];

/** Path of a Chromium of this machine; undefined if there is none. */
export function findChromium(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  const candidates =
    process.platform === 'win32'
      ? ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
          const folder = variables[name];
          return folder === undefined ? [] : onWindows.map((path) => join(folder, path));
        })
      : [
          ...chromiumNames.flatMap((name) =>
            (variables['PATH'] ?? '').split(delimiter).flatMap((folder) => (folder ? [join(folder, name)] : [])),
          ),
          ...(process.platform === 'darwin' ? onMacOs : []),
        ];
  return candidates.find(existsSync);
}

/** What to do where `findChromium` finds none. */
export const noChromium =
  'No Chromium was found on this machine. Install one (on Debian: apt-get install chromium), or name its program.';

/** For a page that is loaded from loopback and needs nothing else by name: other names have no address. */
export const loopbackOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/**
 * Arguments for a page without a screen: it plays without a user's gesture, at full rate although nothing is shown, with
 * candidates of loopback, and connects nowhere by itself. Without `isRoot` Chromium keeps its sandbox, which it refuses
 * to root.
 */
export function chromiumArguments(url: string, { isRoot }: { readonly isRoot: boolean }): string[] {
  return [
    '--headless=new',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-service-autorun',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-gpu',
    '--disable-quic',
    '--metrics-recording-only',
    '--no-pings',
    '--mute-audio',
    '--password-store=basic',
    '--use-mock-keychain',
    '--autoplay-policy=no-user-gesture-required',
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns,OptimizationHints,MediaRouter,Translate',
    ...(isRoot ? ['--no-sandbox'] : []),
    url,
  ];
}

export interface Chromium {
  readonly pid: number;
  /** Resolves with one sentence when it has ended, or could not be started. */
  readonly closed: Promise<string>;
  /** Ends it and removes its profile. */
  end(): Promise<void>;
}

const endLimitMs = 5000;

/** Opens a page in a Chromium of this machine without a screen, with a temporary profile. */
export function startChromium(program: string, url: string, ...more: readonly string[]): Chromium {
  const profile = privateTempFolder();
  const args = [
    `--user-data-dir=${profile.path}`,
    // It ends when the pipe does, and so with this process, even if that is killed.
    '--remote-debugging-pipe',
    ...more,
    ...chromiumArguments(url, { isRoot: ownUser() === 0 }),
  ];
  const child = spawn(program, args, {
    ...{ env: environment(), windowsHide: true },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  // Nothing is written to the pipe, and what it says is not needed.
  for (const pipe of child.stdio.slice(3)) pipe?.on('error', () => undefined).on('data', () => undefined);
  const closed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${program} could not be started: ${error.message}.`));
    child.once('close', (code, signal) => resolve(`${program} ended with ${signal ?? `code ${code}`}.`));
  });
  void closed.then(() => profile.remove());
  return {
    pid: child.pid ?? 0,
    closed,
    end: async () => {
      child.kill('SIGTERM');
      if (!(await isClosedWithin(child, closed, endLimitMs))) child.kill('SIGKILL');
      await closed;
      profile.remove();
    },
  };
}

function isClosedWithin(child: ChildProcess, closed: Promise<string>, ms: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void closed.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
