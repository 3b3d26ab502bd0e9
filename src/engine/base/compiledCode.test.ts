import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Clock } from './clock';
import { runCompiled } from './compiledCode';
import { privateTempFolder } from './tempFolder';

let folder: ReturnType<typeof privateTempFolder>;
let program: string;
let save: () => void;
const clock = {
  after: (_ms: number, act: () => void) => {
    save = act;
    return () => undefined;
  },
} as unknown as Clock;
const code = (): string => join(folder.path, 'code');
const results = globalThis as { ranProgram?: unknown };

beforeEach(() => {
  folder = privateTempFolder();
  program = join(folder.path, 'app', 'program.js');
  mkdirSync(join(folder.path, 'app'));
  writeFileSync(join(folder.path, 'app', 'chunk.js'), 'module.exports = (n) => n + 1;');
});
afterEach(() => folder.remove());

/** One start of the program of this text, as that of a new process; resolves with what it left. */
async function start(text: string): Promise<unknown> {
  writeFileSync(program, text);
  const { cache } = createRequire(program);
  for (const path of Object.keys(cache)) if (path.startsWith(folder.path)) delete cache[path];
  delete results.ranProgram;
  runCompiled(program, code(), clock);
  save();
  return results.ranProgram;
}
const first = "globalThis.ranProgram = require('./chunk.js')(41);";

it('runs a program and what it loads, and keeps the code of each script for the next start', async () => {
  expect(await start(first)).toBe(42);
  await vi.waitFor(() => expect(readdirSync(code()).map((name) => name.split('.')[0])).toEqual(['chunk', 'program']));
  const kept = readdirSync(code());
  expect(await start(first)).toBe(42);
  expect(readdirSync(code())).toEqual(kept);
});

it('replaces the code of another version, and runs the source where what was kept is damaged', async () => {
  await start(first);
  await vi.waitFor(() => expect(readdirSync(code())).toHaveLength(2));
  const [before = ''] = readdirSync(code()).filter((name) => name.startsWith('program'));
  expect(await start(first.replace('41', '1'))).toBe(2);
  await vi.waitFor(() =>
    expect(readdirSync(code()).filter((name) => name.startsWith('program'))).not.toEqual([before]),
  );
  await vi.waitFor(() => expect(readdirSync(code()).some((name) => name.endsWith(`.${process.pid}`))).toBe(false));
  const [kept = ''] = readdirSync(code()).filter((name) => name.startsWith('program'));
  const bytes = readFileSync(join(code(), kept));
  for (const damaged of [
    Buffer.alloc(0),
    bytes.fill(0, bytes.length / 2, bytes.length / 2 + 40),
    Buffer.from('no code'),
  ]) {
    writeFileSync(join(code(), kept), damaged);
    expect(await start(first.replace('41', '1'))).toBe(2);
  }
});

it('runs without a place to keep anything', async () => {
  writeFileSync(code(), 'a file in place of the folder');
  expect(await start(first)).toBe(42);
  rmSync(code());
});
