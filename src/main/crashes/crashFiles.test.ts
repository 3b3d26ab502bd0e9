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
/** A minidump with one stream, that of the process. */
function dump(folder: string, name: string, pid = 1): void {
  mkdirSync(join(root, 'Crashpad', folder), { recursive: true });
  const bytes = Buffer.alloc(60);
  bytes.write('MDMP');
  for (const [at, value] of [
    [8, 1],
    [12, 32],
    [32, 15],
    [40, 44],
    [52, pid],
  ] as const)
    bytes.writeUInt32LE(value, at);
  writeFileSync(join(root, 'Crashpad', folder, `${name}.dmp`), bytes);
  writeFileSync(join(root, 'Crashpad', folder, `${name}.meta`), '');
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
  expect(readFileSync(path.replace('.log', '.dmp')).toString('latin1', 0, 4)).toBe('MDMP');
  expect(readdirSync(join(root, 'Crashpad', 'pending'))).toEqual([]);
  expect(existsSync(join(root, 'Crashpad', 'new', 'unfinished.dmp'))).toBe(true);
});

it('keeps the minidump of the process that crashed, when several crash', async () => {
  const files = crashFiles();
  const engine = files.record('engine', 'killed', 11);
  const window = files.record('window', 'crashed', 22);
  const reader = files.record('reader', 'crashed');
  setTimeout(() => dump('pending', 'a', 22), 200);
  setTimeout(() => dump('pending', 'b', 33), 500);
  await Promise.all([engine, window, reader]);
  const names = files.names().map((name) => name.slice(25));
  expect(names.sort()).toEqual(['engine.log', 'reader.dmp', 'reader.log', 'window.dmp', 'window.log']);
  const pidIn = (of: string): number => {
    const name = files.names().find((name) => name.endsWith(`${of}.dmp`)) ?? '';
    return readFileSync(join(root, 'crashes', name)).readUInt32LE(52);
  };
  expect([pidIn('window'), pidIn('reader')]).toEqual([22, 33]);
}, 15_000);

it('collects the minidump of a main process that ended with it', () => {
  dump('completed', 'b');
  const files = crashFiles();
  files.collectLeft();
  expect(files.names().map((name) => name.slice(24))).toEqual(['-main.log', '-main.dmp']);
});

it('keeps ten crashes', async () => {
  let nowMs = Date.UTC(2026, 10, 26);
  const files = crashFiles(() => (nowMs += 60_000));
  for (let each = 0; each < 12; each += 1) await files.record('engine', `code ${each}`, 'none');
  expect(files.names()).toHaveLength(10);
  expect(files.names().at(-1)).toBe('2026-11-26T00-03-00-000Z-engine.log');
});
