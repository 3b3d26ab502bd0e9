import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until';
import { runProgram } from './program';
import { privateTempFolder } from './tempFolder';

let folder: ReturnType<typeof privateTempFolder>;
beforeEach(() => {
  folder = privateTempFolder();
});
afterEach(() => folder.remove());

const node = (script: string): readonly [string, ...string[]] => [process.execPath, '-e', script];
const bounds = { variables: {}, timeoutMs: 20_000 };

describe('a program', () => {
  it('gets its input, and its output is read', async () => {
    const script = "process.stdin.on('data', (text) => process.stdout.write(`${process.env.WORD} ${text}`))";
    expect(await runProgram(node(script), { ...bounds, variables: { WORD: 'ä' }, input: 'ö' })).toBe('ä ö');
  });

  it.each([
    ["console.error('first\\nlast'); process.exit(3)", 'it ended with 3: last.'],
    ["process.kill(process.pid, 'SIGKILL')", 'it ended with SIGKILL.'],
    ["process.stdout.write('x'.repeat(5000)); setTimeout(() => {}, 60_000)", 'it wrote more than 1000 bytes.'],
  ])('%s: %s', async (script, sentence) => {
    await expect(runProgram(node(script), { ...bounds, maxBytes: 1000 })).rejects.toThrow(sentence);
  });

  it('that does not exist is named so', async () => {
    await expect(runProgram([join(folder.path, 'missing')], bounds)).rejects.toThrow('the program does not exist.');
  });

  it('that is cancelled says so', async () => {
    const abort = new AbortController();
    const cancelled = runProgram(node('setTimeout(() => {}, 60_000)'), { ...bounds, signal: abort.signal });
    abort.abort();
    await expect(cancelled).rejects.toThrow('it was cancelled.');
    await expect(runProgram(node(''), { ...bounds, signal: abort.signal })).rejects.toThrow('it was cancelled.');
  });
});

// Windows has neither a shell of this kind nor groups of processes.
describe.skipIf(process.platform === 'win32')('a shell', () => {
  const isRunning = (pid: number): boolean => {
    try {
      // Without those that have ended and were not waited for.
      return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .startsWith('Z');
    } catch {
      return false;
    }
  };

  it('that leaves a program running is over in time, and that program stays', async () => {
    const file = join(folder.path, 'pid');
    const shell = ['sh', '-c', 'sleep 60 & echo $! >"$0"; echo done', file] as const;
    expect(await runProgram(shell, { variables: {}, timeoutMs: 500 })).toBe('done\n');
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it.each([true, false])('that takes too long is ended with all that it started (killed: %s)', async (isKilled) => {
    const file = join(folder.path, 'pids');
    const shell = ['sh', '-c', 'sleep 60 & echo $! >"$0"; echo $$ >>"$0"; sleep 60', file] as const;
    await expect(runProgram(shell, { variables: {}, timeoutMs: 500, isKilled })).rejects.toThrow(
      'it took longer than 0.50 s.',
    );
    const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    expect(await until(() => !pids.some(isRunning), 3000)).toBe(true);
  });
});
