import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
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
