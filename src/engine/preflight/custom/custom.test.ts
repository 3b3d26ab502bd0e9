import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Facts, type Answer } from '../reading/facts';
import { testRole } from '../../../../tests/support/preflightRole';
import { parseRules, pathProblem } from './ruleFile';
import { ruleOf } from './customRule';
import { readCustomRules } from './readCustomRules';

const text = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id: 'somaxconn',
    title: 'Listen backlog',
    why: 'New connections wait there.',
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
  return rule.judge(new Facts('origin', new Map(Object.entries(answers))).only(rule.needs), testRole());
}

it('compares a kernel setting, and gives the fix only where it is not met', () => {
  const path = '/proc/sys/net/core/somaxconn';
  expect(judged({}, { [path]: { text: '4096' } })).toEqual({
    result: 'pass',
    sentence: 'net.core.somaxconn of origin is 4,096 (expected: >= 1024).',
  });
  expect(judged({ otherwise: 'fail' }, { [path]: { text: '128' } })).toEqual({
    result: 'fail',
    sentence: 'net.core.somaxconn of origin is 128 (expected: >= 1024).',
    fix: 'sudo sysctl -w net.core.somaxconn=1024',
  });
});

it('reads a line of a file with a unit, and never shows the words it found', () => {
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
  expect(word.sentence).toBe('user in nginx.conf of origin does not match (expected: == www-data).');
});

it.each([
  [{ command: 'rm' }, 'it has a key that is not one of a rule; allowed: id,'],
  [{ read: { run: ['id'] } }, "rules can't run commands"],
  [{ read: { file: '/root/.ssh/id_rsa' } }, "can't be read by rules"],
  [{ expect: 'big' }, 'expect: must be a comparison such as'],
  [{ id: 'Ärger' }, 'id: must be lower-case letters'],
  [{ title: undefined }, 'title: is missing'],
])('rejects %j with one sentence', (over, words) => {
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
])('does not let a rule read %s', (path) => expect(pathProblem(path)).toBeDefined());

it.each([
  '/proc/sys/vm/swappiness',
  '/proc/meminfo',
  '/sys/class/net/eth0/mtu',
  '/etc/nginx/nginx.conf',
  '/etc/security/limits.conf',
])('lets a rule read %s', (path) => expect(pathProblem(path)).toBeUndefined());

it('reads a folder in the order of names; an invalid file does not affect others, and a missing folder has no rules', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-rules-'));
  try {
    writeFileSync(join(folder, 'b.json'), text());
    writeFileSync(join(folder, 'a.yaml'), 'id: [');
    writeFileSync(join(folder, 'c.yml'), text());
    writeFileSync(join(folder, 'notes.txt'), 'not a rule');
    const { rules, problems } = await readCustomRules(folder);
    expect(rules.map(({ id }) => id)).toEqual(['own.somaxconn']);
    expect(problems.map(({ file }) => file)).toEqual(['a.yaml', 'c.yml']);
    expect(problems[1]?.sentence).toBe('c.yml: a rule "somaxconn" exists already in another file.');
    expect(await readCustomRules(join(folder, 'none'))).toEqual({ rules: [], problems: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  'root:$6$planted:1:::',
  'planted',
  'a: [planted, {',
  '- planted: 1',
  'planted: &planted [*planted]',
  'a: *planted',
])('an error of a file that holds no rules quotes nothing of it: %j', (text) => {
  let message = '';
  try {
    parseRules(text, 'x.yaml');
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(/^x\.yaml: /);
  expect(message).not.toMatch(/planted|root/);
});
