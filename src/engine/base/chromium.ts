import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { inTime, type Clock } from './clock';
import { ownUser } from './ownFiles';
import { FullhouseError } from '../../contract/calls';
import { startProgram, type ChildProcess } from './program';
import { privateTempFolder } from './tempFolder';
import { variablesOf, type VariableValues } from './variables';

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

const foldersOfPrograms = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'] as const;
const searched = ['PATH', ...foldersOfPrograms] as const;

/** Path of a Chromium of this machine; undefined if there is none. */
export function findChromium(variables: VariableValues = variablesOf(searched)): string | undefined {
  const candidates =
    process.platform === 'win32'
      ? foldersOfPrograms.flatMap((name) => {
          const folder = variables[name];
          return folder === undefined ? [] : onWindows.map((path) => join(folder, path));
        })
      : [
          ...chromiumNames.flatMap((name) =>
            (variables.PATH ?? '').split(delimiter).flatMap((folder) => (folder ? [join(folder, name)] : [])),
          ),
          ...(process.platform === 'darwin' ? onMacOs : []),
        ];
  return candidates.find(existsSync);
}

/** What to do where `findChromium` finds none. */
export const noChromium = 'No Chromium was found on this machine. Install one (on Debian: apt-get install chromium).';

/** For a page that is loaded from loopback and needs nothing else by name: other names have no address. */
export const loopbackOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/**
 * Arguments for pages without a screen: they play without a user's gesture, at full rate although nothing is shown, with
 * candidates of loopback, and connect nowhere by themselves. The address of a page is not among them, since arguments
 * are visible to every user of the machine: see `openPage`. The browser ends when the pipe by which it gets the address
 * does, and so with the process that writes to it, even if that is killed.
 */
export function chromiumArguments(): string[] {
  return [
    '--remote-debugging-pipe',
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
    'about:blank',
  ];
}

/** Opens a page in a browser with `chromiumArguments`: the text for its descriptor 3 (Chrome DevTools Protocol). */
export const openPage = (url: string): string =>
  `${JSON.stringify({ id: 1, method: 'Target.createTarget', params: { url } })}\0`;

/**
 * The user nobody of Linux: a browser that a page could take over has no business with the rights of root, and has its
 * sandbox under any other user only.
 */
export const nobody = 65_534;

export interface Chromium {
  readonly pid: number;
  /** Resolves with one sentence when it has ended, or could not be started. */
  readonly closed: Promise<string>;
  /** Ends it and removes its profile. */
  end(): Promise<void>;
}

const endLimitMs = 5000;

/**
 * Opens a page in a Chromium of this machine without a screen, with a temporary profile. Started by root it runs as the
 * user nobody. Throws a sentence where root has no such user.
 */
export function startChromium(program: string, url: string, clock: Clock, ...more: readonly string[]): Chromium {
  const isRoot = ownUser() === 0;
  if (isRoot && process.platform !== 'linux')
    throw new FullhouseError('as-root', 'Chromium is not started by root. Start Fullhouse as another user.');
  const profile = privateTempFolder();
  const folder = join(profile.path, 'profile');
  mkdirSync(folder, { mode: 0o700 });
  if (isRoot) {
    chmodSync(profile.path, 0o711); // nobody passes through
    chownSync(folder, nobody, nobody);
  }
  const child = startProgram(program, [`--user-data-dir=${folder}`, ...more, ...chromiumArguments()], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: nobody, gid: nobody, cwd: folder, env: homeIn(folder) } : { env: { TMPDIR: folder } }),
  });
  // What it answers is not needed.
  for (const pipe of child.stdio.slice(3)) pipe?.on('error', () => undefined).on('data', () => undefined);
  (child.stdio[3] as Writable | null)?.write(openPage(url));
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
      if (!hasEnded(child) && (await inTime(clock, closed, endLimitMs)) === undefined) child.kill('SIGKILL');
      await closed;
      profile.remove();
    },
  };
}

/** Folders of the user nobody, who has none. */
const homeIn = (folder: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'].map((name) => [
      name,
      folder,
    ]),
  );

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
