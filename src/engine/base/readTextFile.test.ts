import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { importRun } from '../store/transfer';
import { readTextFile } from './readTextFile';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-read-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('reads a text', () => {
  const path = join(folder, 'a');
  writeFileSync(path, 'Größe\n');
  expect(readTextFile(path, 1_000_000)).toBe('Größe\n');
});

it.runIf(process.platform !== 'win32')('refuses devices, pipes and folders, and what is too large', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, 1_000_001);
  expect(() => readTextFile('/dev/zero', 1_000_000)).toThrow('it is not a file');
  expect(() => readTextFile(pipe, 1_000_000)).toThrow('it is not a file');
  expect(() => readTextFile(folder, 1_000_000)).toThrow('it is a folder');
  expect(() => readTextFile(large, 1_000_000)).toThrow('it is larger than 1 MB');
  expect(() => readTextFile(join(folder, 'absent'), 1)).toThrow('ENOENT');
});

it.runIf(process.platform !== 'win32')('a run is imported from a file only', () => {
  const pipe = join(folder, 'a.fullhouse');
  execFileSync('mkfifo', [pipe]);
  const place = { folder, path: (id: string) => join(folder, id), onOpening: () => undefined };
  for (const path of [pipe, '/dev/zero', '/dev/null']) expect(() => importRun(place, path)).toThrow(/is not a file/);
});
