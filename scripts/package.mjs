import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const args = process.argv.slice(2);
  let config = 'electron.builder.yml';
  if (runtime.kind === 'fallback') {
    console.error(`Electron ${runtime.version} is packaged; a release needs the version of package.json.`);
    config = await fallbackConfig(config, runtime);
    if (!args.includes('--dir')) {
      console.error('Only a plain folder is made: the installers want tools that cannot be downloaded here.');
      args.push('--dir');
    }
  }
  const builder = inRoot('node_modules', 'electron-builder', 'cli.js');
  await mustRun('Packaging', process.execPath, [builder, '--config', config, ...args], {
    show: true,
    timeoutMs: 900_000,
  });
  console.log(`The package is in ${inRoot('dist')}.`);
});

/** The same configuration for the fallback runtime. */
async function fallbackConfig(file, runtime) {
  const { parse } = await import('yaml');
  const config = parse(readFileSync(inRoot(file), 'utf8'));
  // The stub that lets the runtime start a clone must not be shipped.
  const dist = join(cacheFolder, 'electron-dist');
  rmSync(dist, { recursive: true, force: true });
  cpSync(runtime.folder, dist, {
    recursive: true,
    filter: (path) => path !== join(runtime.folder, 'resources', 'app'),
  });
  // A fuse that came with Electron 29.
  delete config.electronFuses.grantFileProtocolExtraPrivileges;
  const changed = join(cacheFolder, 'electron.builder.json');
  writeFileSync(changed, JSON.stringify({ ...config, electronDist: dist, electronVersion: runtime.version }));
  return changed;
}
