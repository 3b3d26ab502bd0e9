import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFor } from './packageConfig.mjs';
import { run } from './setup/command.mjs';
import { inRoot } from './setup/paths.mjs';

describe('npm run package', { timeout: 60_000 }, () => {
  let runtime;
  beforeEach(() => {
    runtime = mkdtempSync(join(tmpdir(), 'fullhouse-package-'));
    writeFileSync(join(runtime, 'electron'), '');
  });
  afterEach(() => rmSync(runtime, { recursive: true }));

  it.runIf(process.platform === 'linux').each([
    ['22.3.25', /Electron 22\.3\.25 gets no security fixes any more: .* Nothing was packaged\. .*--allow-fallback/],
    ['', /The version of the Electron in .* is unknown, .* Nothing was packaged\./],
  ])('refuses an Electron of version "%s"', async (version, sentence) => {
    writeFileSync(join(runtime, 'version'), version);
    const result = await run(process.execPath, [inRoot('scripts', 'package.mjs'), '--dir', '--publish=never'], {
      // Only the script's own messages matter: it refuses before building.
      env: { ELECTRON_OVERRIDE_DIST_PATH: runtime },
      timeoutMs: 50_000,
    });
    expect(result.stderr).toMatch(sentence);
    expect(result.code).toBe(1);
  });

  it('verifies a downloaded Electron by the checksums in its npm package', async () => {
    const { version } = JSON.parse(readFileSync(inRoot('node_modules', 'electron', 'package.json'), 'utf8'));
    const config = await configFor({ kind: 'own', version });
    const { checksums } = config.electronDownload;
    expect(checksums[`electron-v${version}-linux-x64.zip`]).toMatch(/^[0-9a-f]{64}$/);
    expect(config.electronDist).toBeUndefined();
  });

  it('copies an unpacked Electron without the files that only a clone needs', async () => {
    const folder = join(runtime, 'clone');
    mkdirSync(join(folder, 'resources', 'app'), { recursive: true });
    for (const file of ['electron', 'package.sha256', 'resources/app/index.js']) writeFileSync(join(folder, file), '');
    const config = await configFor({ kind: 'fallback', version: '22.3.25', folder }, join(runtime, 'dist'));
    expect(readdirSync(config.electronDist, { recursive: true }).sort()).toEqual(['electron', 'resources']);
    expect(config.electronVersion).toBe('22.3.25');
    expect(config.electronFuses).not.toHaveProperty('grantFileProtocolExtraPrivileges');
  });
});
