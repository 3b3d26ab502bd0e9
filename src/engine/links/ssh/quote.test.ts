import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quoteCommand, quoteWord } from './quote';

const words = [
  "it's",
  "''",
  '"double"',
  '$HOME $(id) ${x} `id`',
  'line\nbreak',
  'tab\tand\rreturn',
  '',
  ' ',
  '*?[a]{1,2}~',
  '\\ \\n \\\\',
  '!history',
  '=ls',
  '-n',
  '# ; & | < > ( )',
  'Grüße 漢字 🙂',
];
const shells = ['/bin/sh', '/bin/dash', '/bin/bash', '/usr/bin/zsh'].filter((shell) => existsSync(shell));

describe('quoting', () => {
  it.each(shells)('passes every word through %s unchanged', (shell) => {
    const line = quoteCommand(['printf', '%s\\0', ...words]);
    const out = execFileSync(shell, ['-c', line], { encoding: 'utf8' });
    expect(out.split('\0').slice(0, -1)).toEqual(words);
  });

  it('quotes every word', () => {
    expect(quoteCommand(['ls', '-l', 'a b'])).toBe(`'ls' '-l' 'a b'`);
    expect(quoteWord("a'b")).toBe(`'a'\\''b'`);
  });

  it('rejects what no shell can pass on', () => {
    expect(() => quoteWord('a\0b')).toThrow('NUL');
    expect(() => quoteCommand([])).toThrow('name of a program');
  });
});
