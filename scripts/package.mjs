import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeNotices } from './notices.mjs';
import { configFor } from './packageConfig.mjs';
import { stageCommandLine } from './packaging/commandLine.mjs';
import { makeBySystemTools } from './packaging/systemTools.mjs';
import { systemTargets, targetsOf } from './packaging/targets.mjs';
import { mustRun } from './setup/command.mjs';
import { chosenRuntime, wantedVersion } from './setup/electron.mjs';
import { endOfLife, majorOf, newestElectron } from './setup/electronSupport.mjs';
import { cacheFolder, inRoot } from './setup/paths.mjs';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

const allowFallback = '--allow-fallback';
const bySystemTools = '--system-tools';
const uncompressed = '--uncompressed';
const own = [allowFallback, bySystemTools, uncompressed];

/**
 * Packages the app for this platform: `npm run package`, `npm run package -- --linux deb rpm tar.gz`, or
 * `npm run package -- --dir` for a plain folder. `--system-tools` makes deb, rpm and tar.gz with the tools of this Linux
 * instead of electron-builder's downloads; so does an Electron that could not be downloaded. `--uncompressed` saves these
 * tools most of their time, and `--allow-fallback` packages an Electron without security fixes: both for trials. Further
 * arguments go to electron-builder.
 */
await runScript(async () => {
  const args = process.argv.slice(2).filter((arg) => !own.includes(arg));
  await ensureReady(['dependencies', 'electron']);
  const runtime = chosenRuntime();
  await checkSupport(runtime, process.argv.includes(allowFallback));
  await ensureReady(['agent', 'bundles', 'cli']);
  await writeNotices();
  stageCommandLine(join(cacheFolder, 'resources'));
  const config = await configFor(runtime);
  const systemTools = process.argv.includes(bySystemTools) || runtime.kind === 'fallback';
  if (!systemTools) {
    await build(config, args);
    return;
  }
  const usual = config.linux.target.filter((target) => systemTargets.includes(target));
  const targets = targetsOf(args, usual);
  const { name, version, description } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  rmSync(inRoot('dist', 'linux-unpacked'), { recursive: true, force: true });
  await build(config, ['--linux', '--dir', ...options(args)]);
  await makeBySystemTools(targets, {
    config: { ...config, executable: name, description },
    version,
    isCompressed: !process.argv.includes(uncompressed),
  });
});

/** The arguments without the platform and its targets. */
function options(args) {
  const targets = targetsOf(args, []);
  return args.filter((arg) => !['--linux', '-l', '--dir'].includes(arg) && !targets.includes(arg));
}

async function build(config, args) {
  const file = join(cacheFolder, 'electron.builder.json');
  writeFileSync(file, JSON.stringify(config));
  const builder = inRoot('node_modules', 'electron-builder', 'cli.js');
  await mustRun('Packaging', process.execPath, [builder, '--config', file, ...args], {
    show: true,
    timeoutMs: 900_000,
  });
  console.log(`The package is in ${inRoot('dist')}.`);
}

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
