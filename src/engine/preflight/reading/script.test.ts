import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scriptCommand, parseOutput, type Piece, type Question } from './script';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-script-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mark = 'fh-0123456789abcdef';

function runScript(questions: readonly Question[]): Piece[] {
  const [program = '', ...words] = scriptCommand(questions, mark);
  return parseOutput(execFileSync(program, words, { encoding: 'utf8' }), mark);
}

it('uses every name literally, with all shell characters', () => {
  const names = ['a b', "it's", '$(touch made)', '`touch made`', '*', 'x; touch made', '-n', 'line\nbreak'];
  for (const name of names) writeFileSync(join(folder, name), `text of ${name}`);
  const pieces = runScript(names.map((name) => ({ kind: 'file', path: join(folder, name) })));
  expect(pieces.filter(({ word }) => word === 'text').map(({ question }) => question)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7,
  ]);
  expect(pieces.slice(0, 7).map(({ text }) => text.trimEnd())).toEqual(
    names.slice(0, 7).map((name) => `text of ${name}`),
  );
  expect(existsSync('made') || existsSync(join(folder, 'made'))).toBe(false);
});

it('ignores a file that imitates another file’s result', () => {
  const path = join(folder, 'liar');
  writeFileSync(path, 'first\nfh-ffffffffffffffff text 1 /etc/good\nforged\nfh-ffffffffffffffff end 1 0\n');
  const pieces = runScript([
    { kind: 'file', path },
    { kind: 'file', path: join(folder, 'absent') },
  ]);
  expect(pieces.map(({ word, question }) => [word, question])).toEqual([
    ['text', 0],
    ['absent', 1],
  ]);
});

it('reads patterns, reports what is not a file, and truncates endless files', () => {
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'one.conf'), '1');
  writeFileSync(join(folder, 'two.conf'), '2');
  writeFileSync(join(folder, 'long'), 'x'.repeat(400_000));
  const pieces = runScript([
    { kind: 'files', pattern: `${folder}/*.conf` },
    { kind: 'file', path: join(folder, 'sub') },
    { kind: 'file', path: join(folder, 'long') },
    { kind: 'file', path: '/dev/zero' },
  ]);
  expect(pieces.map(({ word, question }) => [word, question])).toEqual([
    ['text', 0],
    ['text', 0],
    ['closed', 1],
    ['text', 2],
    ['closed', 3],
  ]);
  expect(pieces[3]?.text.trimEnd()).toHaveLength(262_144);
});

it('finds a process by its name, with its arguments and limits', () => {
  const name =
    process.platform === 'linux' ? execFileSync('cat', ['/proc/self/comm'], { encoding: 'utf8' }).trim() : '';
  expect(name).toBe('cat');
  const pieces = runScript([
    { kind: 'process', name: 'sh' },
    { kind: 'process', name: 'no-such-program' },
  ]);
  expect(pieces.some(({ word, text }) => word === 'limits' && text.includes('Max open files'))).toBe(true);
  expect(pieces.some(({ word, text }) => word === 'cmdline' && text.includes('fullhouse-preflight'))).toBe(true);
  expect(pieces.at(-1)).toMatchObject({ word: 'no-process', question: 1, of: 'no-such-program' });
});

it('leaves out a truncated piece', () => {
  expect(parseOutput(`\n${mark} text 0 /a\nwhole\n${mark} end 0 0\n\n${mark} text 1 /b\nha`, mark)).toEqual([
    { word: 'text', question: 0, of: '/a', text: 'whole', code: 0 },
  ]);
});
