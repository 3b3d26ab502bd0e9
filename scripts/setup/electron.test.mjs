import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './command.mjs';
import { failureIn } from './electron.mjs';
import { inRoot } from './paths.mjs';

describe('why a download failed', () => {
  it.each([
    [
      "cause: getaddrinfo ENOTFOUND releases.test (ENOTFOUND)\nTypeError: fetch failed\n    at node:internal\n  code: 'X'",
      'getaddrinfo ENOTFOUND releases.test (ENOTFOUND)',
    ],
    ['HTTPError: Response status code 404 (Not Found)', 'Response status code 404 (Not Found)'],
    ['TypeError: fetch failed\n    at node:internal', 'fetch failed'],
    ["Error: broken\n  code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'", 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ['', undefined],
  ])('%j', (said, reason) => expect(failureIn(said)).toBe(reason));

  it('is the error of the network', async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    const fetching = `await fetch('http://127.0.0.1:${port}/')`;
    const { code, stderr } = await run(process.execPath, [
      '--import',
      inRoot('scripts', 'setup', 'reportFetchCause.mjs'),
      '--input-type=module',
      '--eval',
      fetching,
    ]);
    expect(code).not.toBe(0);
    expect(failureIn(stderr)).toMatch(/ECONNREFUSED/);
  });

  it('is a checksum mismatch when a mirror has a different archive', async () => {
    const asked = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end('no Electron');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const cache = mkdtempSync(join(tmpdir(), 'fullhouse-electron-'));
    try {
      const { code, stderr } = await run(process.execPath, [inRoot('node_modules', 'electron', 'install.js')], {
        env: {
          ELECTRON_MIRROR: `http://127.0.0.1:${server.address().port}/`,
          electron_config_cache: cache,
          force_no_cache: 'true',
          // For another system, so that a locally installed one is ignored.
          ELECTRON_INSTALL_PLATFORM: process.platform === 'darwin' ? 'linux' : 'darwin',
        },
      });
      expect(asked.join()).toMatch(/electron-v\d.*\.zip/);
      expect(asked.join()).not.toContain('SHASUMS');
      expect(code).not.toBe(0);
      expect(failureIn(stderr)).toMatch(/checksum/i);
    } finally {
      rmSync(cache, { recursive: true });
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
