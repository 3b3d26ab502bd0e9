import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { WorkflowStep } from './workflow';

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program with only the environment that a job has: nothing of npm's or of the test runner. */
export function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH = '', HOME = '' } = process.env;
    const options = { cwd, env: { PATH, HOME, ...env }, maxBuffer: 50_000_000 };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

/** Runs the script of a step as a runner does. */
export function runStep(step: WorkflowStep, workspace: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const folder = join(workspace, step['working-directory'] ?? '.');
  return execute('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run ?? ''], folder, env);
}
