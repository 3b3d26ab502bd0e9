import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { maxTextLength } from '../contract/shell';
import { readOpenedText } from './openedText';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-text-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('reads a text with its name', async () => {
  const path = join(folder, 'plan.yaml');
  writeFileSync(path, 'name: Größe\n');
  expect(await readOpenedText(path)).toEqual({ name: 'plan.yaml', text: 'name: Größe\n' });
});

it('refuses what is missing, no file, or too large, with the path', async () => {
  const path = join(folder, 'plan.yaml');
  await expect(readOpenedText(path)).rejects.toThrow(`${path} was not opened: the file does not exist.`);
  await expect(readOpenedText(folder)).rejects.toThrow('was not opened: it is not a file.');
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    await expect(readOpenedText(join(folder, 'pipe.yaml'))).rejects.toThrow('was not opened: it is not a file.');
    await expect(readOpenedText('/dev/zero')).rejects.toThrow('was not opened: it is not a file.');
  }
  writeFileSync(path, '');
  truncateSync(path, maxTextLength + 1);
  await expect(readOpenedText(path)).rejects.toThrow('was not opened: it is larger than 1 MB.');
});
