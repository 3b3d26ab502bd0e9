import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gcLogScript } from './gcLogScript';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-gc-'));
  path = join(folder, 'gc.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The lines about the start of the log; an input that is closed at once ends the script. */
function headLines(): string[] {
  const { stdout } = spawnSync('sh', ['-c', gcLogScript, 'gc-log', path], { input: '', encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.startsWith('@head '));
}

const line = '[0.005s][info][gc] Using G1';

// Windows has no POSIX shell.
it.skipIf(process.platform === 'win32')(
  'finds the lines behind the NULs of a log that was truncated while written',
  () => {
    writeFileSync(path, `${'\0'.repeat(5000)}${line}\n`);
    expect(headLines()).toEqual([`@head ${line}`]);
  },
);

it.skipIf(process.platform === 'win32')('reads a bounded part of a log that starts with gigabytes of NULs', () => {
  writeFileSync(path, '');
  truncateSync(path, 8_000_000_000);
  const startedMs = performance.now();
  expect(headLines()).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(5000);
});

/** What the script prints of a log to which `write` happens between `@follow` and the start of `tail`. */
async function printedAfter(write: () => void): Promise<string[]> {
  const tools = join(folder, 'bin');
  const written = join(folder, 'written');
  mkdirSync(tools);
  const real = spawnSync('sh', ['-c', 'command -v tail'], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(tools, 'tail'), `#!/bin/sh\nuntil [ -e '${written}' ]; do sleep 0.02; done\nexec ${real} "$@"\n`);
  chmodSync(join(tools, 'tail'), 0o755);
  const script = spawn('sh', ['-c', gcLogScript, 'gc-log', path], {
    env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = new Promise((resolve) => script.once('close', resolve));
  let text = '';
  for await (const chunk of script.stdout.setEncoding('utf8')) {
    const before = text;
    text += String(chunk);
    if (!before.includes('@follow\n') && text.includes('@follow\n')) {
      write();
      writeFileSync(written, '');
    }
    if (text.includes('last\n')) script.stdin.end();
  }
  await exited;
  return text.trim().split('\n');
}

// Windows has no POSIX shell.
it.skipIf(process.platform === 'win32').each(['', `${line}\n`, undefined])(
  'loses no line that is written while a busy host starts tail (log before: %j)',
  async (before) => {
    if (before !== undefined) writeFileSync(path, before);
    const printed = await printedAfter(() => appendFileSync(path, 'first\nlast\n'));
    expect(printed.slice(printed.indexOf('@follow') + 1)).toEqual(['first', 'last']);
  },
  10_000,
);
