import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { privateTempFolder, sweepTempFolders, tempFolderPrefix } from './tempFolder';

let shared: string;

beforeEach(() => (shared = mkdtempSync(join(tmpdir(), 'fullhouse-shared-'))));
afterEach(() => rmSync(shared, { recursive: true, force: true }));

describe('a private temporary folder', () => {
  it('is readable by this user only, unpredictable, and can be removed', () => {
    const folders = [privateTempFolder(shared), privateTempFolder(shared)];
    expect(new Set(folders.map(({ path }) => path)).size).toBe(2);
    for (const { path, remove } of folders) {
      if (process.getuid) expect(statSync(path).mode & 0o777).toBe(0o700);
      remove();
      remove();
    }
    expect(readdirSync(shared)).toEqual([]);
  });

  it('of a killed process is removed, that of a running one stays', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const left = join(shared, `${tempFolderPrefix(child.pid)}abcdef`);
    mkdirSync(join(left, 'deep'), { recursive: true });
    const own = privateTempFolder(shared);
    sweepTempFolders(shared);
    expect(existsSync(left)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    sweepTempFolders(shared);
    expect(existsSync(left)).toBe(false);
    expect(existsSync(own.path)).toBe(true);
    own.remove();
  });

  it('of another user, a link, and other names are not removed', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    const prefix = tempFolderPrefix(child.pid);
    await once(child, 'exit');
    const outside = join(shared, 'outside');
    mkdirSync(join(outside, 'deep'), { recursive: true });
    symlinkSync(outside, join(shared, `${prefix}linked`));
    mkdirSync(join(shared, `${prefix}foreign`));
    mkdirSync(join(shared, 'fullhouse-abcdef'));
    sweepTempFolders(shared, (process.getuid?.() ?? 0) + 1);
    expect(readdirSync(shared)).toHaveLength(4);
    sweepTempFolders(shared);
    expect(readdirSync(shared).sort()).toEqual(['fullhouse-abcdef', `${prefix}linked`, 'outside'].sort());
    expect(readdirSync(outside)).toEqual(['deep']);
  });
});
