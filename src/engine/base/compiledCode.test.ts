import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Clock } from './clock';
import { runCompiled } from './compiledCode';
import { privateTempFolder } from './tempFolder';

let folder: ReturnType<typeof privateTempFolder>;
let program: string;
let save: () => void = () => undefined;
const clock = {
  after: (_ms: number, act: () => void) => {
    save = act;
    return () => undefined;
  },
} as unknown as Clock;
const code = (): string => join(folder.path, 'code');
/** The kept files, each with the folder of its program. */
const kept = (): string[] =>
  (existsSync(code()) ? readdirSync(code(), { recursive: true, encoding: 'utf8' }) : [])
    .filter((name) => name.includes('/') || name.includes('\\'))
    .sort();
const scripts = (): string[] => kept().map((name) => basename(name).split('.')[0] ?? '');
const results = globalThis as { ranProgram?: unknown };

beforeEach(() => {
  folder = privateTempFolder();
  program = join(folder.path, 'app', 'program.js');
  mkdirSync(join(folder.path, 'app'));
  writeFileSync(join(folder.path, 'app', 'chunk.js'), 'module.exports = (n) => n + 1;');
});
afterEach(() => folder.remove());

/** One start of the program of this text, as that of a new process; returns what it left. */
function start(text: string): unknown {
  writeFileSync(program, text);
  const { cache } = createRequire(program);
  for (const path of Object.keys(cache)) if (path.startsWith(folder.path)) delete cache[path];
  delete results.ranProgram;
  save = () => undefined;
  runCompiled(program, code(), clock);
  save();
  return results.ranProgram;
}
const first = "globalThis.ranProgram = require('./chunk.js')(41);";

it('runs a program and what it loads, and keeps the code of each script for the next start', async () => {
  expect(start(first)).toBe(42);
  await vi.waitFor(() => expect(scripts()).toEqual(['chunk', 'program']));
  const files = kept();
  const changed = files.map((name) => statSync(join(code(), name)).mtimeMs);
  expect(start(first)).toBe(42);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(files.map((name) => statSync(join(code(), name)).mtimeMs)).toEqual(changed);
});

it('leaves nothing of another version of the program', async () => {
  start(first);
  await vi.waitFor(() => expect(kept()).toHaveLength(2));
  const before = readdirSync(code());
  expect(start(first.replace('41', '1'))).toBe(2);
  await vi.waitFor(() => {
    expect(readdirSync(code())).toHaveLength(1);
    expect(readdirSync(code())).not.toEqual(before);
  });
  expect(scripts()).toEqual(['chunk', 'program']);
});

it('runs the source where what was kept is damaged', async () => {
  start(first);
  await vi.waitFor(() => expect(kept()).toHaveLength(2));
  const path = join(code(), kept().find((name) => basename(name).startsWith('program')) ?? '');
  const bytes = readFileSync(path);
  const zeroed = Buffer.from(bytes).fill(0, bytes.length / 2);
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bytes.length - 40) ^ 1, bytes.length - 40);
  for (const damaged of [Buffer.alloc(0), zeroed, flipped, Buffer.from('no code')]) {
    writeFileSync(path, damaged);
    expect(start(first)).toBe(42);
    await vi.waitFor(() => expect(readFileSync(path)).toHaveLength(bytes.length));
  }
});

it('takes no code from a folder that others can write to', async () => {
  mkdirSync(code(), { mode: 0o700 });
  chmodSync(code(), 0o777);
  expect(start(first)).toBe(42);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(kept()).toEqual([]);
});

it('runs without a place to keep anything', () => {
  writeFileSync(code(), 'a file in place of the folder');
  expect(start(first)).toBe(42);
  rmSync(code());
});
