import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BackgroundFile } from './backgroundFile';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-background-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('saves the latest version, in a private file, and moves the old one aside on request', async () => {
  const path = join(folder, 'own', 'file');
  const problems: string[] = [];
  const file = new BackgroundFile(path, (reason) => problems.push(reason));
  for (const text of ['one', 'two', 'three']) file.save(text);
  await file.whenSaved();
  expect(readFileSync(path, 'utf8')).toBe('three');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  file.save('four', `${path}.old`);
  await file.whenSaved();
  expect([readFileSync(path, 'utf8'), readFileSync(`${path}.old`, 'utf8')]).toEqual(['four', 'three']);
  expect(problems).toEqual([]);
});

it('reports why it could not be saved, and saves the next version', async () => {
  const problems: string[] = [];
  writeFileSync(join(folder, 'own'), 'a file in place of the folder');
  const file = new BackgroundFile(join(folder, 'own', 'file'), (reason) => problems.push(reason));
  file.save('one');
  await file.whenSaved();
  expect(problems).toHaveLength(1);
  rmSync(join(folder, 'own'));
  file.save('two');
  await file.whenSaved();
  expect(readFileSync(join(folder, 'own', 'file'), 'utf8')).toBe('two');
});
