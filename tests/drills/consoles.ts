import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { cli as builtCli } from '../integration/support';
import type { Drill } from './drill';
import { soon } from './fault';

/** Upper limit for anything that a console does. */
const limitMs = 120_000;

/** A command line of Fullhouse. */
export interface Console {
  readonly pid: number;
  /** All that it has printed. */
  output(): string;
  /** Resolves when it has printed this. */
  prints(text: string | RegExp): Promise<void>;
  /** The exit code as a shell reports it: 128 and the signal's number after a signal. */
  readonly exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

export interface ConsoleOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The command line's program; default: the built one. */
  readonly cli?: string;
  /** A command that runs it. */
  readonly under?: readonly string[];
}

/** Starts a command of Fullhouse with the drill's folders. */
export function startCommand(drill: Drill, args: readonly string[], options: ConsoleOptions = {}): Console {
  const { env = {}, cli = builtCli, under = [] } = options;
  const [program = '', ...rest] = [...under, process.execPath, cli, ...args];
  const child = spawn(program, rest, {
    cwd: drill.folder,
    env: { ...drill.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  drill.later(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  let hasExited = false;
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => {
      hasExited = true;
      resolve(code ?? 128 + constants.signals[name ?? 'SIGKILL']);
    });
  });
  const has = (text: string | RegExp): boolean =>
    typeof text === 'string' ? output.includes(text) : text.test(output);
  return {
    pid: child.pid ?? 0,
    output: () => output,
    prints: async (text) => {
      await soon(() => has(text) || hasExited, limitMs);
      if (!has(text)) throw new Error(`${String(text)} is missing in: ${output}`);
    },
    exited,
    kill: (name) => void child.kill(name),
  };
}

/** Starts a run of a plan. `name` distinguishes several consoles of a drill: each has its own folder of runs. */
export function startRun(
  drill: Drill,
  plan: string,
  {
    name = 'out',
    args = [],
    ...options
  }: ConsoleOptions & { readonly name?: string; readonly args?: readonly string[] } = {},
): Console {
  const file = join(drill.folder, `${name}.yaml`);
  writeFileSync(file, plan);
  return startCommand(
    drill,
    ['run', file, '--out', join(drill.folder, name), '--yes', '--allow-hooks', ...args],
    options,
  );
}

/** A command of Fullhouse, from its start to its end. */
export async function runCommand(
  drill: Drill,
  args: readonly string[],
  options: ConsoleOptions = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const command = startCommand(drill, args, options);
  const code = await command.exited;
  return { code, output: command.output() };
}
