import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './command.mjs';
import { fallbackFolder, fallbackVersion, isPinned, makeFallback } from './fallbackRuntime.mjs';
import { inRoot, runtimeFolder } from './paths.mjs';
import { SetupProblem } from './problem.mjs';

/** A failed download is retried after this time, in case the network has recovered. */
const retryAfterMs = 24 * 3600_000;
const downloadLimitMs = 300_000;
const choiceFile = join(runtimeFolder, 'choice.json');

const programIn = (folder) =>
  join(
    folder,
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron',
  );

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Electron version that the project is built for. */
export const wantedVersion = () => readJson(inRoot('node_modules', 'electron', 'package.json'))?.version;

/** Version in an unpacked Electron's own `version` file, or `unknown`. */
function versionIn(folder) {
  try {
    return readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return 'unknown';
  }
}

/**
 * The runtime that starts the app, or undefined when none is ready: `kind` is `override` (provided by the user), `own`
 * (the version the project depends on) or `fallback`, which has no default app.
 * @returns {{ kind: 'override' | 'own' | 'fallback', folder: string, program: string, version: string } | undefined}
 */
export function chosenRuntime() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override)
    return { kind: 'override', folder: override, program: programIn(override), version: versionIn(override) };
  const own = inRoot('node_modules', 'electron', 'dist');
  if (existsSync(programIn(own)) && versionIn(own) === wantedVersion())
    return { kind: 'own', folder: own, program: programIn(own), version: versionIn(own) };
  const choice = readJson(choiceFile);
  if (choice?.kind !== 'fallback' || !isPinned()) return undefined;
  return {
    kind: 'fallback',
    folder: fallbackFolder,
    program: programIn(fallbackFolder),
    version: choice.version,
  };
}

/** Whether a fallback was chosen recently for the same settings. */
function choiceHolds() {
  const choice = readJson(choiceFile);
  return (
    choice?.wanted === wantedVersion() &&
    choice?.mirror === (process.env.ELECTRON_MIRROR ?? '') &&
    Date.now() - Date.parse(choice.checked) < retryAfterMs
  );
}

export const electron = {
  title: 'Electron runtime',
  isReady() {
    const runtime = chosenRuntime();
    if (!runtime || !existsSync(runtime.program)) return false;
    return runtime.kind !== 'fallback' || choiceHolds();
  },
  async make({ log }) {
    const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
    if (override)
      throw new SetupProblem(
        `ELECTRON_OVERRIDE_DIST_PATH is ${override}, but ${programIn(override)} does not exist. Set it to the folder of an unpacked Electron, or unset it.`,
      );
    const reason = await download();
    if (reason === undefined) return;
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new SetupProblem(
        `Electron ${wantedVersion()} could not be downloaded (${reason}). Set ELECTRON_MIRROR to a mirror that has it, or ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron.`,
      );
    log(
      `Electron ${wantedVersion()} could not be downloaded (${reason}); using the Electron ${fallbackVersion} runtime.`,
    );
    await makeFallback({ log });
    mkdirSync(runtimeFolder, { recursive: true });
    const choice = {
      kind: 'fallback',
      version: fallbackVersion,
      reason,
      wanted: wantedVersion(),
      mirror: process.env.ELECTRON_MIRROR ?? '',
      checked: new Date().toISOString(),
    };
    writeFileSync(choiceFile, `${JSON.stringify(choice, null, 2)}\n`);
  },
};

/** Electron's own installer, which supports ELECTRON_MIRROR. Returns the reason of a failure. */
async function download() {
  const installer = inRoot('node_modules', 'electron', 'install.js');
  const tellCause = pathToFileURL(inRoot('scripts', 'setup', 'reportFetchCause.mjs')).href;
  const { code, stdout, stderr, timedOut } = await run(process.execPath, ['--import', tellCause, installer], {
    timeoutMs: downloadLimitMs,
    // Always the checksums of its npm package, which package-lock.json pins; a mirror could vouch for itself.
    env: { electron_use_remote_checksums: '', npm_config_electron_use_remote_checksums: '' },
  });
  if (code === 0) return undefined;
  if (timedOut) return `timeout after ${downloadLimitMs / 60_000} min`;
  return failureIn(`${stdout}\n${stderr}`) ?? `its installer ended with code ${code}`;
}

/** Why a download failed, from the installer's output; undefined if it gives no reason. */
export function failureIn(said) {
  // The innermost cause is the most specific: fetch wraps the network's own error.
  const cause = [...said.matchAll(/^cause: ([^\n]+)/gm)].at(-1)?.[1];
  const errors = [
    ...said.matchAll(/Error: ([^\n]*?(?:E[A-Z_]{4,}|HTTPError|status code \d+|certificate|checksum|Checksum)[^\n]*)/g),
  ];
  const code = /code: '([A-Z_0-9]+)'/.exec(said)?.[1];
  const first = /^[A-Za-z]*Error: ([^\n]+)/m.exec(said)?.[1];
  return (cause ?? errors.at(-1)?.[1] ?? code ?? first)?.trim().slice(0, 120);
}
