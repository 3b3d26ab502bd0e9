import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    [
      '22.3.25',
      /Electron 22\.3\.25 gets no security fixes any more: .* Nothing was packaged\. .*--allow-fallback/,
    ],
    ['', /The version of the Electron in .* is unknown, .* Nothing was packaged\./],
  ])('refuses an Electron of version "%s"', async (version, sentence) => {
    writeFileSync(join(runtime, 'version'), version);
    const result = await run(
      process.execPath,
      [inRoot('scripts', 'package.mjs'), '--dir', '--publish=never'],
      {
        // Only the script's own messages count here: what it would build is refused before.
        env: { ELECTRON_OVERRIDE_DIST_PATH: runtime },
        timeoutMs: 50_000,
      },
    );
    expect(result.stderr).toMatch(sentence);
    expect(result.code).toBe(1);
  });
});
