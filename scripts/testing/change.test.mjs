import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSince } from './change.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fullhouse-change-')));
const origin = join(folder, 'origin');

function git(cwd, date, ...args) {
  const isolated = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const person = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...isolated, ...person, ...dates },
  });
}

function commit(date, subject, ...files) {
  for (const file of files) writeFileSync(join(origin, file), subject);
  git(origin, date, 'add', '--all');
  git(origin, date, 'commit', '--quiet', '--message', subject);
  return git(origin, date, 'rev-parse', '--short', 'HEAD').trim();
}

let first;
let dayOld;
beforeAll(() => {
  mkdirSync(join(origin, 'moved from'), { recursive: true });
  git(origin, '', 'init', '--quiet');
  first = commit('2020-05-01T10:00:00Z', 'first', 'a.txt', 'moved from/b.txt');
  dayOld = commit('2020-05-03T09:59:00Z', 'a day old', 'c.txt');
  commit('2020-05-03T10:01:00Z', 'younger', 'd.txt');
  renameSync(join(origin, 'moved from', 'b.txt'), join(origin, 'b.txt'));
  commit('2020-05-04T10:00:00Z', 'last', 'é.txt');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a change', () => {
  const paths = ['b.txt', 'd.txt', 'moved from/b.txt', 'é.txt'];

  it('is since the newest commit that is over a day older than the last, whatever day it is', async () => {
    const { since, paths: changed } = await changeSince(undefined, { cwd: origin });
    expect(since).toBe(`${dayOld} of 2020-05-03 (a day old)`);
    expect(changed.sort()).toEqual(paths);
  });

  it('is the same in a fresh clone, and includes what is not committed', async () => {
    const clone = join(folder, 'clone');
    git(folder, '', 'clone', '--quiet', origin, clone);
    expect((await changeSince(undefined, { cwd: clone })).paths.sort()).toEqual(paths);
    writeFileSync(join(clone, 'a.txt'), 'edited');
    writeFileSync(join(clone, 'new.txt'), '');
    expect((await changeSince(undefined, { cwd: clone })).paths.sort()).toEqual(['a.txt', ...paths, 'new.txt'].sort());
  });

  it('is since a given commit', async () => {
    const { since, paths: changed } = await changeSince(first, { cwd: origin });
    expect(since).toBe(`${first} of 2020-05-01 (first)`);
    expect(changed.sort()).toEqual(['b.txt', 'c.txt', 'd.txt', 'moved from/b.txt', 'é.txt']);
    await expect(changeSince('nowhere', { cwd: origin })).rejects.toThrow('There is no commit "nowhere"');
  });

  it('is not known in a shallow clone, without an old commit, or without a repository', async () => {
    const shallow = join(folder, 'shallow');
    git(folder, '', 'clone', '--quiet', '--depth', '1', `file://${origin}`, shallow);
    expect((await changeSince(undefined, { cwd: shallow })).unknown).toContain('shallow');
    const young = join(folder, 'young');
    git(folder, '', 'clone', '--quiet', origin, young);
    git(young, '', 'reset', '--quiet', '--hard', first);
    expect((await changeSince(undefined, { cwd: young })).unknown).toContain('No commit is a day older');
    expect((await changeSince(undefined, { cwd: tmpdir() })).unknown).toContain('no clone of a git repository');
  });
});
