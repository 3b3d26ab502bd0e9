import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeNotices } from './notices.mjs';
import { configFor } from './packageConfig.mjs';
import { mustRun } from './setup/command.mjs';
import { chosenRuntime, wantedVersion } from './setup/electron.mjs';
import { endOfLife, majorOf, newestElectron } from './setup/electronSupport.mjs';
import { cacheFolder, inRoot } from './setup/paths.mjs';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

const allowFallback = '--allow-fallback';

/**
 * Packages the app for this platform: `npm run package`, or `npm run package -- --dir` for a plain folder.
 * `--allow-fallback` packages an Electron without security fixes, for trials. Further arguments go to
 * electron-builder.
 */
await runScript(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== allowFallback);
  await ensureReady(['dependencies', 'electron']);
  const runtime = chosenRuntime();
  await checkSupport(runtime, process.argv.includes(allowFallback));
  await ensureReady(['agent', 'bundles']);
  if (runtime.kind === 'fallback' && !args.includes('--dir')) {
    console.error('Creating a plain folder only: the installers need tools that cannot be downloaded here.');
    args.push('--dir');
  }
  await writeNotices();
  const config = join(cacheFolder, 'electron.builder.json');
  writeFileSync(config, JSON.stringify(await configFor(runtime)));
  const builder = inRoot('node_modules', 'electron-builder', 'cli.js');
  await mustRun('Packaging', process.execPath, [builder, '--config', config, ...args], {
    show: true,
    timeoutMs: 900_000,
  });
  console.log(`The package is in ${inRoot('dist')}.`);
});

/** Refuses a runtime without security fixes, unless requested. */
async function checkSupport(runtime, isAllowed) {
  if (Number.isNaN(majorOf(runtime.version)))
    throw new SetupProblem(
      `The version of the Electron in ${runtime.folder} is unknown, since it has no file "version". ` +
        'Nothing was packaged. Use an unmodified Electron release.',
    );
  const wanted = wantedVersion();
  // The registry is queried only if its result matters.
  const reason =
    endOfLife(runtime.version, wanted) ??
    (isAllowed ? undefined : endOfLife(runtime.version, await newestElectron(wanted)));
  if (reason === undefined) return;
  if (!isAllowed)
    throw new SetupProblem(
      `${reason} Nothing was packaged. Update electron in package.json, let setup download it (ELECTRON_MIRROR ` +
        'names a mirror, ELECTRON_OVERRIDE_DIST_PATH an unpacked Electron), or add ' +
        `${allowFallback} for a trial package. Never release it.`,
    );
  console.error(`${reason} It is packaged because of ${allowFallback}: never release this package.`);
}
