import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { later, temporaryFolder } from '../undo';

export interface Jvm {
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

let classes: string | undefined;

/** Compiles the program that allocates; once per test. */
export function compileAllocate(): string {
  classes = temporaryFolder();
  later(() => {
    classes = undefined;
  });
  execFileSync('javac', ['-d', classes, join(__dirname, '..', '..', 'fixtures', 'jvm', 'Allocate.java')]);
  return classes;
}

/** Runs it for `forMs`, allocating `perBreath` arrays every 2 ms. */
export function startJvm(options: {
  readonly jvmOptions: readonly string[];
  readonly forMs: number;
  readonly perBreath: number;
}): Jvm {
  const child = spawn(
    'java',
    [
      '-Xmx128m',
      ...options.jvmOptions,
      '-cp',
      classes ?? compileAllocate(),
      'Allocate',
      String(options.forMs),
      String(options.perBreath),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  later(() => void child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, ended: once(child, 'exit').then(() => undefined) };
}
