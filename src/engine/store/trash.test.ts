import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Trash } from './trash';

let folder: string;
let trash: string;
const nowMs = Date.UTC(2026, 10, 22);
const longAgo = nowMs / 1000 - 10 * 24 * 60 * 60;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-trash-'));
  trash = join(folder, '.trash');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function old(path: string): void {
  writeFileSync(path, 'old');
  utimesSync(path, longAgo, longAgo);
}

const open = (user?: number): Trash => new Trash(trash, () => nowMs, user);

describe('the trash', () => {
  it('deletes its own old run files and nothing else', () => {
    mkdirSync(join(trash, 'folder.fullhouse'), { recursive: true });
    for (const name of ['a.fullhouse', 'a.fullhouse-wal', 'a.fullhouse-shm', 'notes.txt', '.b.fullhouse'])
      old(join(trash, name));
    const outside = join(folder, 'outside');
    old(outside);
    symlinkSync(outside, join(trash, 'link.fullhouse'));
    lutimesSync(join(trash, 'link.fullhouse'), longAgo, longAgo);
    utimesSync(join(trash, 'folder.fullhouse'), longAgo, longAgo);
    open().empty();
    expect(readdirSync(trash).sort()).toEqual(['.b.fullhouse', 'folder.fullhouse', 'link.fullhouse', 'notes.txt']);
    expect(existsSync(outside)).toBe(true);
  });

  it('is not emptied through a link, and moves no run there', () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    old(join(elsewhere, 'a.fullhouse'));
    symlinkSync(elsewhere, trash);
    open().empty();
    expect(readdirSync(elsewhere)).toEqual(['a.fullhouse']);
    old(join(folder, 'b.fullhouse'));
    expect(() => open().take(join(folder, 'b.fullhouse'))).toThrow(`${trash} is a symbolic link`);
    expect(() => open().giveBack(join(folder, 'a.fullhouse'))).toThrow(`${trash} is a symbolic link`);
    expect(existsSync(join(folder, 'b.fullhouse'))).toBe(true);
  });

  it.runIf(process.getuid)('of another user is not touched', () => {
    mkdirSync(trash);
    old(join(trash, 'a.fullhouse'));
    const other = (process.getuid?.() ?? 0) + 1;
    open(other).empty();
    expect(readdirSync(trash)).toEqual(['a.fullhouse']);
    old(join(folder, 'b.fullhouse'));
    expect(() => open(other).take(join(folder, 'b.fullhouse'))).toThrow(`${trash} belongs to another user`);
  });
});
