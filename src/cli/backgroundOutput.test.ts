import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../tests/support/until';
import { BackgroundOutput } from './backgroundOutput';

it.runIf(process.platform !== 'win32').each([
  ['blocks its writers', 0],
  ['does not block them', constants.O_NONBLOCK],
])('does not wait for a reader that takes nothing, and loses nothing, of a pipe that %s', async (_, flag) => {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-output-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Of both ends: opening one waits for the other.
  const fd = openSync(pipe, constants.O_RDWR | flag);
  try {
    const output = new BackgroundOutput({ fd, isTTY: false, columns: 80 });
    const lines = Array.from({ length: 10_000 }, (_, line) => `line ${line}, of which the pipe takes a few\n`);
    // A blocking write of more than the pipe holds would never return.
    for (const line of lines) output.write(line);
    await output.drained(50);
    const buffer = Buffer.alloc(1 << 16);
    let read = '';
    await until(() => {
      read += readNow(fd, buffer);
      return read.length >= lines.join('').length;
    });
    expect(read === lines.join('')).toBe(true);
    await output.drained(10_000);
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  }
});

function readNow(fd: number, buffer: Buffer): string {
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
    throw error;
  }
}
