import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CrashFiles } from './crashFiles';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fullhouse-crashes-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function crashFiles(nowMs?: () => number): CrashFiles {
  return new CrashFiles({
    folder: join(root, 'crashes'),
    dumps: join(root, 'Crashpad'),
    lastLines: (count) => Array.from({ length: count }, (_, each) => `line ${each}`),
    about: ['Fullhouse: 0.1.0'],
    ...(nowMs ? { nowMs } : {}),
  });
}
function dump(folder: string, name: string): void {
  mkdirSync(join(root, 'Crashpad', folder), { recursive: true });
  for (const extension of ['dmp', 'meta'])
    writeFileSync(join(root, 'Crashpad', folder, `${name}.${extension}`), 'MDMP');
}

it('keeps the end of the log and the minidump that appears a moment later', async () => {
  const files = crashFiles();
  dump('new', 'unfinished');
  const recorded = files.record('window', 'crashed');
  setTimeout(() => dump('pending', 'a'), 300);
  const path = (await recorded) ?? '';
  const text = readFileSync(path, 'utf8').split('\n');
  expect(text.slice(0, 2)).toEqual(['Process: window', 'Reason: crashed']);
  expect(text).toContain('Fullhouse: 0.1.0');
  expect(text.filter((line) => line.startsWith('line '))).toHaveLength(500);
  expect(readFileSync(path.replace('.log', '.dmp'), 'utf8')).toBe('MDMP');
  expect(readdirSync(join(root, 'Crashpad', 'pending'))).toEqual([]);
  expect(existsSync(join(root, 'Crashpad', 'new', 'unfinished.dmp'))).toBe(true);
});

it('collects the minidump of a main process that ended with it', () => {
  dump('completed', 'b');
  const files = crashFiles();
  files.collectLeft();
  expect(files.names().map((name) => name.slice(24))).toEqual(['-main.log', '-main.dmp']);
});

it('keeps ten crashes', async () => {
  let nowMs = Date.UTC(2026, 10, 26);
  const files = crashFiles(() => (nowMs += 60_000));
  for (let each = 0; each < 12; each += 1) await files.record('engine', `code ${each}`, false);
  expect(files.names()).toHaveLength(10);
  expect(files.names().at(-1)).toBe('2026-11-26T00-03-00-000Z-engine.log');
});
