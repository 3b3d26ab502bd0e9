import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noticesText } from './document.mjs';
import { fontComponents } from './fonts.mjs';
import { npmComponents } from './npm.mjs';

describe('third-party notices', () => {
  let root;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'fullhouse-notices-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  function write(path, content) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** A clone with these packages: `{ 'node_modules/ws': { entry, manifest, licence } }`. */
  function clone(packages, bundled = []) {
    const entries = Object.entries(packages);
    write('package-lock.json', {
      packages: { '': {}, ...Object.fromEntries(entries.map(([path, { entry }]) => [path, entry ?? {}])) },
    });
    for (const [path, { manifest, licence, missing }] of entries) {
      if (missing) continue;
      write(`${path}/package.json`, { version: '1.0.0', license: 'MIT', ...manifest });
      if (licence) write(`${path}/${licence}`, `the text of ${manifest.name}`);
    }
    for (const side of ['main', 'preload', 'renderer', 'viewer-page', 'cli'])
      write(`out/${side}/licenses.json`, side === 'renderer' ? bundled : []);
  }

  it('include production and bundled packages, without tools', () => {
    clone(
      {
        'node_modules/ws': { manifest: { name: 'ws' }, licence: 'LICENSE' },
        'node_modules/a/node_modules/ws': {
          manifest: { name: 'ws', version: '2.0.0' },
          licence: 'license.md',
        },
        'node_modules/svelte': { entry: { dev: true }, manifest: { name: 'svelte' }, licence: 'LICENCE.txt' },
        'node_modules/vite': { entry: { dev: true }, manifest: { name: 'vite' } },
        'node_modules/elsewhere': { entry: { optional: true }, missing: true },
      },
      [{ name: 'svelte', version: '1.0.0' }],
    );
    expect(npmComponents(root)).toEqual([
      { name: 'ws', version: '1.0.0', licence: 'MIT', texts: ['the text of ws'] },
      { name: 'ws', version: '2.0.0', licence: 'MIT', texts: ['the text of ws'] },
      { name: 'svelte', version: '1.0.0', licence: 'MIT', texts: ['the text of svelte'] },
    ]);
  });

  it('name a package without a licence file as an error', () => {
    clone({ 'node_modules/bare': { manifest: { name: 'bare' } } });
    expect(() => npmComponents(root)).toThrow(/^bare has no licence file in .*node_modules\/bare, so it cannot/);
  });

  it('use a stored text only while its package states the same licence', () => {
    clone({ 'node_modules/shell-escape': { manifest: { name: 'shell-escape' } } });
    expect(npmComponents(root)[0].texts[0]).toMatch(/Copyright \(c\) Martin PANEL, Dave Eddy\n\nPermission is/);
    clone({ 'node_modules/shell-escape': { manifest: { name: 'shell-escape', license: 'GPL-3.0' } } });
    expect(() => npmComponents(root)).toThrow(/^shell-escape has no licence file/);
  });

  it('have the licence of what is compiled into a package', () => {
    clone(
      {
        'node_modules/zxing-wasm': { entry: { dev: true }, manifest: { name: 'zxing-wasm' }, licence: 'LICENSE' },
        'node_modules/kubernetes': {
          entry: { dev: true },
          manifest: { name: '@kubernetes/client-node', license: 'Apache-2.0' },
          licence: 'LICENSE',
        },
      },
      [{ name: 'zxing-wasm', version: '1.0.0' }],
    );
    expect(npmComponents(root)).toEqual([
      { name: 'zxing-wasm', version: '1.0.0', licence: 'MIT', texts: ['the text of zxing-wasm'] },
      {
        ...{ name: 'ZXing-C++ (in zxing-wasm)', version: '1.0.0', isWithin: true, licence: 'Apache-2.0' },
        texts: ['the text of @kubernetes/client-node'],
      },
    ]);
  });

  it('name a bundled package that is not installed, and a font without a licence, as an error', () => {
    clone({}, [{ name: 'chart.js', version: '4.0.0' }]);
    expect(() => npmComponents(root)).toThrow(/^The bundles contain chart\.js 4\.0\.0, which is not installed\./);
    write('fonts/Inter.woff2', '');
    expect(() => fontComponents(join(root, 'fonts'))).toThrow(/^The font Inter has no licence file/);
  });

  it('print a text once for all its components', () => {
    const texts = ['MIT for all of them'];
    const text = noticesText('Fullhouse 1.0.0', [
      { title: 'In the app', components: [{ name: 'a', version: '1.0.0', licence: 'MIT', texts }] },
      { title: 'In the agent', components: [{ name: 'b', version: 'v2.0.0', texts }] },
    ]);
    expect(text.match(/MIT for all of them/g)).toHaveLength(1);
    expect(text).toMatch(/\n {2}a 1\.0\.0 \(MIT\)\n/);
    expect(text).toMatch(/=\na 1\.0\.0\nb v2\.0\.0\n=+\n\nMIT for all of them\n/);
  });
});
