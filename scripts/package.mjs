import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './setup/command.mjs';
import { chosenRuntime } from './setup/electron.mjs';
import { cacheFolder, inRoot } from './setup/paths.mjs';
import { runScript } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

/**
 * Packages the app for this platform: `npm run package`, or `npm run package -- --dir` for a plain folder. Further
 * arguments go to electron-builder.
 */
await runScript(async () => {
  await ensureReady(['dependencies', 'electron', 'agent', 'bundles']);
  const runtime = chosenRuntime();
  const args = ['--config', 'electron.builder.yml', ...process.argv.slice(2)];
  if (runtime.kind === 'fallback') {
    console.error(`Electron ${runtime.version} is packaged; a release needs the version of package.json.`);
    // The stub that lets the runtime start a clone must not be shipped, and a fuse that this version lacks cannot be set.
    const dist = join(cacheFolder, 'electron-dist');
    rmSync(dist, { recursive: true, force: true });
    cpSync(runtime.folder, dist, {
      recursive: true,
      filter: (path) => path !== join(runtime.folder, 'resources', 'app'),
    });
    args.push(`-c.electronDist=${dist}`, `-c.electronVersion=${runtime.version}`);
    args.push('-c.electronFuses.grantFileProtocolExtraPrivileges=null');
    if (!args.includes('--dir')) {
      console.error('Only a plain folder is made: the installers want tools that cannot be downloaded here.');
      args.push('--dir');
    }
  }
  const builder = inRoot('node_modules', 'electron-builder', 'cli.js');
  await mustRun('Packaging', process.execPath, [builder, ...args], { show: true, timeoutMs: 900_000 });
  console.log(`The package is in ${inRoot('dist')}.`);
});
