import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RotatingFile } from './rotatingFile';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const numbered = (file: RotatingFile, from: number, to: number): void => {
  for (let each = from; each <= to; each += 1) file.append(`line ${String(each).padStart(3, '0')}\n`);
};

it('renames a full file, keeps so many older ones, and continues after a restart', () => {
  const path = join(folder, 'logs', 'a.log');
  // Ten lines of nine bytes are less than 95 bytes, eleven are more.
  numbered(new RotatingFile(path, { maxBytes: 95, older: 2 }), 1, 12);
  expect(readFileSync(join(folder, 'logs', 'a.1.log'), 'utf8').split('\n')).toHaveLength(12);
  expect(readFileSync(path, 'utf8')).toBe('line 012\n');
  const later = new RotatingFile(path, { maxBytes: 95, older: 2 });
  numbered(later, 13, 50);
  expect(existsSync(join(folder, 'logs', 'a.2.log'))).toBe(true);
  expect(existsSync(join(folder, 'logs', 'a.3.log'))).toBe(false);
  expect(later.lastLines(3)).toEqual(['line 048', 'line 049', 'line 050']);
  expect(later.lastLines(20)[0]).toBe('line 031');
  // Those of the oldest file are gone.
  expect(later.lastLines(500)[0]).toBe('line 023');
});

// Windows has no such modes.
it.skipIf(process.platform === 'win32')('is readable by its user only', () => {
  const path = join(folder, 'a.log');
  new RotatingFile(path, { maxBytes: 95, older: 1 }).append('x\n');
  expect(statSync(path).mode & 0o077).toBe(0);
});

it('does not throw where nothing can be written', () => {
  writeFileSync(join(folder, 'file'), '');
  const file = new RotatingFile(join(folder, 'file', 'a.log'), { maxBytes: 95, older: 1 });
  file.append('x\n');
  expect(file.failures).toBe(1);
  expect(file.lastLines(5)).toEqual([]);
});
