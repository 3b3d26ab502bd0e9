import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { build } from 'vite';
import type { Probed } from './probe';

/** The outcome of a file that ended the process reading it, or that was still being read after `patienceMs`. */
export interface Ended {
  readonly path: string;
  readonly ended: string;
}

const patienceMs = 30_000;

/** A process that reads run files (`probe.ts`), restarted after one that ended it. */
export class Probe {
  private child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  private answers: AsyncIterator<string> | undefined;

  private constructor(private readonly folder: string) {}

  /** Bundles the program, which takes some seconds. */
  static async make(): Promise<Probe> {
    // Within the project, so that the bundle finds its external packages.
    const folder = mkdtempSync(join(import.meta.dirname, '.probe-'));
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: join(import.meta.dirname, 'probe.ts'),
        outDir: folder,
        rollupOptions: { output: { format: 'es', entryFileNames: 'probe.mjs' } },
      },
    });
    return new Probe(folder);
  }

  async ask(path: string): Promise<Probed | Ended> {
    this.child ??= this.start();
    const { child, answers } = this;
    const ended = new Promise<string>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`)),
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.stdin.write(`${path}\n`);
    const answer = await answers?.next();
    clearTimeout(timer);
    if (answer && answer.done !== true) {
      child.removeAllListeners('exit');
      return JSON.parse(answer.value) as Probed;
    }
    this.child = undefined;
    return { path, ended: await ended };
  }

  async remove(): Promise<void> {
    const { child } = this;
    if (child) await new Promise((resolve) => child.once('exit', resolve).stdin.end());
    rmSync(this.folder, { recursive: true, force: true });
  }

  private start(): ChildProcessByStdio<Writable, Readable, null> {
    const child = spawn(process.execPath, [join(this.folder, 'probe.mjs')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.on('error', () => undefined);
    this.answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return child;
  }
}
