import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';

let folder;
const git = (...args) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
const write = (file, text) => writeFileSync(join(folder, file), text);
const script = inRoot('scripts', 'hooks', 'preCommit.mjs');
const run = ({ limitMs = 60_000 } = {}) =>
  spawnSync(process.execPath, [script, String(limitMs)], { cwd: folder, encoding: 'utf8' });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-hook-'));
  git('init', '-q');
  write('.prettierrc.json', '{ "singleQuote": true }\n');
  write('.prettierignore', 'fixtures/\n*.md\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the check before a commit', () => {
  it('refuses a staged file that is not formatted, although the one on the disk is', () => {
    write('other.ts', "export const one = 'well';\n");
    write('one.ts', 'export const one = "double"\n');
    git('add', '.');
    write('one.ts', "export const one = 'double';\n");
    const { status, stderr } = run();
    expect(stderr).toContain('Fix: npx prettier --write one.ts\n');
    expect(stderr).toContain('Nothing was committed.');
    expect(status).toBe(1);
    git('add', '.');
    expect(run().status).toBe(0);
  });

  it('lets pass what is not staged, ignored, or of no known kind', () => {
    write('ready.ts', "export const one = 'ready';\n");
    write('page.md', '*   a list\n');
    write('data.bin', '\u0000');
    git('add', '.');
    write('later.ts', 'export const later = "not staged"');
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([0, '']);
  });

  it('leaves to npm run lint what takes longer than the limit', () => {
    write('one.ts', 'export const one = "double"\n');
    git('add', '.');
    const { status, stderr } = run({ limitMs: 1 });
    expect(stderr).toMatch(/^Not checked within 0.001 s: .*prettier.*. Use npm run lint.\n$/);
    expect(status).toBe(0);
  });

  it('refuses Go that gofmt would change', () => {
    write('main.go', 'package main\nfunc  main() { }\n');
    git('add', '.');
    const { status, stderr } = run();
    expect(stderr).toContain('Fix: gofmt -w main.go');
    expect(status).toBe(1);
  });
});
