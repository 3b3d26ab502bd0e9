import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { SetupProblem } from './problem.mjs';
import { root } from './paths.mjs';

/** The program of npm on this system. */
export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/**
 * Runs a program and returns its output. Never through a shell.
 * `show: true` prints the output live (on stderr, since stdout is for results). `isBackground` yields to other programs.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string, show?: boolean, timeoutMs?: number, input?: string, isBackground?: boolean }} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string, timedOut: boolean }>}
 */
export function run(
  program,
  args,
  { env = {}, cwd = root, show = false, timeoutMs, input, isBackground = false } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', show ? process.stderr : 'pipe', show ? 'inherit' : 'pipe'],
    });
    if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let stdout = '';
    let stderr = '';
    let timedOut = false;
    const timer = timeoutMs
      ? setTimeout(() => {
          timedOut = true;
          child.kill('SIGKILL');
        }, timeoutMs)
      : undefined;
    child.stdout?.on('data', (chunk) => (stdout += chunk));
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    if (input !== undefined) child.stdin.end(input);
    child.on('error', (error) => finish(127, error.message));
    child.on('close', (code, signal) => finish(code ?? 1, signal ? `ended by ${signal}` : ''));
    function finish(code, why) {
      clearTimeout(timer);
      resolve({ code, stdout, stderr: stderr || why, timedOut });
    }
  });
}

/** Like `run`, but a failure throws a `SetupProblem` with the step and the program's last lines. */
export async function mustRun(step, program, args, options) {
  const result = await run(program, args, options);
  if (result.code === 0) return result;
  const ending = lastLines(`${result.stdout}\n${result.stderr}`, 15);
  const why = result.timedOut ? `took longer than ${Math.round(options.timeoutMs / 1000)} s` : 'failed';
  throw new SetupProblem(`${step} ${why}: ${[program, ...args].join(' ')}${ending ? `\n${ending}` : ''}`);
}

export function lastLines(text, count) {
  return text.trim().split('\n').slice(-count).join('\n');
}
