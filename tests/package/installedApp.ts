import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

export const isRoot = process.getuid?.() === 0;
/** The user `nobody`: it has no rights and no home. */
const nobody = 65534;
const limitMs = 60_000;

const timing = z.object({ timing: z.string(), ms: z.number() });

/** A process of the app, as the kernel sees it. */
export interface AppProcess {
  readonly pid: number;
  /** `renderer`, `gpu-process` and so on; empty: the main process. */
  readonly type: string;
  /** 2: system calls are filtered. */
  readonly seccomp: number;
  readonly noNewPrivileges: boolean;
  readonly uid: number;
  /** Inside another namespace than the test. */
  readonly isolated: { readonly user: boolean; readonly pid: boolean; readonly net: boolean };
}

/** An app that runs without the rights of root, with its own home. */
export interface RunningApp {
  /** Since its process was created, in ms. */
  readonly timings: Readonly<Record<string, number>>;
  readonly home: string;
  processes(): AppProcess[];
  /** Saves a picture of the display. */
  picture(file: string): void;
  /** As a closed terminal does; resolves with what it has written. */
  close(): Promise<string>;
}

/** Starts an installed app as a plain user, and waits until its window is usable. */
export async function startAsUser(
  program: string,
  { home, display, args = [] }: { readonly home: string; readonly display: string; readonly args?: readonly string[] },
): Promise<RunningApp> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (isRoot) chownSync(home, nobody, nobody);
  const child = spawnAsUser(program, args, { home, display });
  let output = '';
  const timings: Record<string, number> = {};
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const usable = new Promise<boolean>((resolve) => {
    void ended.then(() => resolve(false));
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        output += `${line}\n`;
        if (!line.startsWith('{"timing"')) return;
        const { timing: step, ms } = timing.parse(JSON.parse(line));
        timings[step] = ms;
        if (step === 'usable') resolve(true);
      });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const isUsable = await usable;
  clearTimeout(timer);
  if (!isUsable) throw new Error(`The window of ${program} did not become usable.\n${output}`);
  return {
    timings,
    home,
    processes: () => processesOf(program),
    picture: (file) => {
      const grab = ['-f', 'x11grab', '-i', display, '-frames:v', '1', '-y', file];
      execFileSync('ffmpeg', ['-loglevel', 'error', ...grab]);
    },
    close: async () => {
      const kill = setTimeout(() => child.kill('SIGKILL'), 20_000);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(kill);
      return output;
    },
  };
}

/** A program with the environment of a new user; root becomes `nobody` first. */
export function spawnAsUser(
  program: string,
  args: readonly string[],
  {
    home,
    display,
    env = {},
  }: { readonly home: string; readonly display?: string; readonly env?: Record<string, string> },
): ChildProcess {
  const options = {
    cwd: '/',
    env: {
      ...{ PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home, FULLHOUSE_TIMINGS: '1' },
      ...(display === undefined ? {} : { DISPLAY: display }),
      ...env,
    },
    stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const],
  };
  // Not --no-new-privs: the setuid helper of the sandbox needs them.
  const become = ['--reuid', String(nobody), '--regid', String(nobody), '--clear-groups', program];
  return isRoot ? spawn('setpriv', [...become, ...args], options) : spawn(program, args, options);
}

/** All processes of a program, by its path. */
export function processesOf(program: string): AppProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // Chromium overwrites the zeros between the arguments of its children.
        const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
        return command.startsWith(`${program} `) || command.trim() === program ? [processOf(pid, command)] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

function processOf(pid: string, command: string): AppProcess {
  const status = readFileSync(join('/proc', pid, 'status'), 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const isIsolated = (kind: string): boolean =>
    readlinkSync(join('/proc', pid, 'ns', kind)) !== readlinkSync(join('/proc', 'self', 'ns', kind));
  return {
    pid: Number(pid),
    type: / --type=([a-z-]+)/.exec(command)?.[1] ?? '',
    seccomp: field('Seccomp'),
    noNewPrivileges: field('NoNewPrivs') === 1,
    uid: field('Uid'),
    isolated: { user: isIsolated('user'), pid: isIsolated('pid'), net: isIsolated('net') },
  };
}
