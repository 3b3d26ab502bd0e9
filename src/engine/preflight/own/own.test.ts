import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Facts, type Answer } from '../reading/facts';
import { testLook } from '../testLook';
import { refusedPath } from './allowedPath';
import { ruleOf } from './ownRule';
import { readOwnRules } from './readOwnRules';
import { parseRules } from './ruleFile';

const text = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id: 'somaxconn',
    title: 'Listen backlog',
    why: 'Arrivals wait there.',
    read: { sysctl: 'net.core.somaxconn' },
    expect: '>= 1024',
    fix: 'sudo sysctl -w net.core.somaxconn=1024',
    source: 'Our runbook',
    ...over,
  });

function judged(over: Record<string, unknown>, answers: Record<string, Answer>) {
  const [own] = parseRules(text(over), 'x.yaml');
  if (!own) throw new Error('no rule');
  const rule = ruleOf(own);
  return rule.judge(new Facts('origin', new Map(Object.entries(answers))).only(rule.needs), testLook());
}

it('compares what a kernel setting holds, and gives the fix only where it is not good', () => {
  const path = '/proc/sys/net/core/somaxconn';
  expect(judged({}, { [path]: { text: '4096' } })).toEqual({
    result: 'pass',
    sentence: 'net.core.somaxconn of origin is 4,096; >= 1024 is wanted.',
  });
  expect(judged({ otherwise: 'fail' }, { [path]: { text: '128' } })).toEqual({
    result: 'fail',
    sentence: 'net.core.somaxconn of origin is 128; >= 1024 is wanted.',
    fix: 'sudo sysctl -w net.core.somaxconn=1024',
  });
});

it('reads a line of a file with a unit, and never tells the words that it found', () => {
  expect(
    judged(
      { read: { file: '/proc/meminfo', line: 'MemTotal' }, expect: '>= 1 GiB' },
      { '/proc/meminfo': { text: 'MemTotal:       16333764 kB\nMemFree: 1 kB' } },
    ).result,
  ).toBe('pass');
  const word = judged(
    { read: { config: 'nginx.conf', line: 'user' }, expect: '== www-data' },
    { 'configuration nginx.conf': { config: { path: '/etc/nginx/nginx.conf', text: 'user hunter2;\n' } } },
  );
  expect(word.result).toBe('warn');
  expect(word.sentence).toBe('user in nginx.conf of origin is not as expected; == www-data is wanted.');
});

it.each([
  [{ command: 'rm' }, '"command" is no key of a rule; possible: id,'],
  [{ read: { run: ['id'] } }, 'there is no way to run a command'],
  [{ read: { file: '/root/.ssh/id_rsa' } }, 'is not among what rules may read'],
  [{ expect: 'big' }, 'expect: must be a comparison such as'],
  [{ id: 'Ärger' }, 'id: must be small letters'],
  [{ title: undefined }, 'title: is missing'],
])('refuses %j in one sentence', (over, words) => {
  expect(() => parseRules(text(over), 'x.yaml')).toThrow(words);
});

it.each([
  '/etc/shadow',
  '/etc/ssh/ssh_host_rsa_key',
  '/proc/1/environ',
  '/proc/kcore',
  '/sys/kernel/debug/x',
  '/etc/../root/x',
  'etc/hosts',
  '/var/log/syslog',
  '/etc/*',
  '/proc/self/root/etc/shadow',
])('does not let a rule read %s', (path) => expect(refusedPath(path)).toBeDefined());

it.each([
  '/proc/sys/vm/swappiness',
  '/proc/meminfo',
  '/sys/class/net/eth0/mtu',
  '/etc/nginx/nginx.conf',
  '/etc/security/limits.conf',
])('lets a rule read %s', (path) => expect(refusedPath(path)).toBeUndefined());

it('reads a folder in the order of names; a wrong file harms no other, and no folder is no rule', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-rules-'));
  try {
    writeFileSync(join(folder, 'b.json'), text());
    writeFileSync(join(folder, 'a.yaml'), 'id: [');
    writeFileSync(join(folder, 'c.yml'), text());
    writeFileSync(join(folder, 'notes.txt'), 'not a rule');
    const { rules, problems } = await readOwnRules(folder);
    expect(rules.map(({ id }) => id)).toEqual(['own.somaxconn']);
    expect(problems.map(({ file }) => file)).toEqual(['a.yaml', 'c.yml']);
    expect(problems[1]?.sentence).toBe('c.yml: there is a rule "somaxconn" in another file already.');
    expect(await readOwnRules(join(folder, 'none'))).toEqual({ rules: [], problems: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
