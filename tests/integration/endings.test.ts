import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import type { Plan } from '../../src/domain/model/plan';
import { openRunLibrary, readSaved } from '../../src/engine/store';
import { until } from '../support/until';
import { childrenOf, cleanUp, cli, exists, later, planOf, temporaryFolder } from './support';

/**
 * Ways in which a run ends, with the real command line and lab. Concurrent: each mostly waits. A disk that fills up, a
 * removed or a read-only folder are drills (tests/drills/faults/disk.ts).
 */

afterAll(cleanUp);

interface RunOfCli {
  readonly pid: number;
  readonly out: string;
  readonly home: string;
  readonly child: ReturnType<typeof spawn>;
  stderr(): string;
  stdout(): string;
  readonly closed: Promise<number | null>;
  /** Resolves when standard error contains the text. */
  says(text: string): Promise<void>;
}

/** Command prefix that mounts a small disk for the run. */
const ownMounts = ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm'];
const onSmallDisk = (out: string, options: string): string[] => [
  ...ownMounts,
  'sh',
  '-c',
  `mount -t tmpfs -o ${options} none "$0" && exec "$@"`,
  out,
];
const canMount = ((): boolean => {
  const [program = '', ...args] = onSmallDisk('/tmp', 'size=1m');
  return spawnSync(program, [...args, 'true']).status === 0;
})();

/** `onIt`: home and temporary folder are on the small disk too. */
function startRun(
  pull: Partial<Plan['pull']> = {},
  { options = '', onIt = false }: { readonly options?: string; readonly onIt?: boolean } = {},
): RunOfCli {
  const folder = temporaryFolder();
  const out = join(folder, 'out');
  const home = onIt ? out : join(folder, 'home');
  mkdirSync(out);
  if (!onIt) mkdirSync(home);
  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, planToYaml(planOf({ viewers: 20, ratePerSecond: 20, holdMs: 12_000, ...pull })));
  const command = [process.execPath, cli, 'run', plan, '--out', out, '--json'];
  const [program = '', ...args] = options === '' ? command : [...onSmallDisk(out, options), ...command];
  const child = spawn(program, args, {
    env: { ...process.env, HOME: home, ...(onIt ? { TMPDIR: out } : {}) },
  });
  later(() => void child.kill('SIGKILL'));
  let stderr = '';
  let stdout = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  return {
    pid: child.pid ?? 0,
    out,
    home,
    child,
    stderr: () => stderr,
    stdout: () => stdout,
    closed: new Promise((resolve) => child.once('close', resolve)),
    says: async (text) => {
      if (!(await until(() => stderr.includes(text), 60_000))) throw new Error(`"${text}" is missing in: ${stderr}`);
    },
  };
}

interface Result {
  readonly ended: { readonly kind: string };
  readonly verdict: string;
  readonly reasons: readonly string[];
  readonly runFile: string;
}
const resultOf = (run: RunOfCli): Result => JSON.parse(run.stdout().trim().split('\n').pop() ?? '') as Result;

/** The longest time without a count of the audience, and the time from the last one to the end. */
function longestGapMs({ runFile }: Result): number {
  const library = openRunLibrary(dirname(runFile));
  const id = runFile.replace(/^.*\//, '').replace('.fullhouse', '');
  return readSaved(library, id, (reader) => {
    const { timeMs } = reader.values('audience', 'viewersConnected');
    return Math.max(...timeMs.slice(1).map((ms, i) => ms - (timeMs[i] ?? 0)));
  });
}

const times = (text: string, part: RegExp): number => text.split('\n').filter((line) => part.test(line)).length;

describe.concurrent('an unwritable disk', () => {
  it.runIf(canMount)('as the only one: the run continues in memory, and is judged', async () => {
    const run = startRun({ holdMs: 14_000 }, { options: 'size=6m', onIt: true });
    await run.says('viewers connected');
    fillDisk(`/proc/${run.pid}/root${run.out}`);
    expect(await run.closed, run.stderr()).toBe(0);
    const result = resultOf(run);
    later(() => rmSync(dirname(result.runFile), { recursive: true }));
    expect(result.runFile).toMatch(/^\/dev\/shm\/fullhouse-rescued-/);
    expect(result).toMatchObject({ reasons: [], viewers: { connectedPeak: 20, failed: 0 } });
    expect(longestGapMs(result)).toBeLessThan(3500);
  });

  it('is reported before the run if too small', async () => {
    const run = startRun({}, { options: 'size=500k' });
    expect(await run.closed).toBe(2);
    expect(run.stderr()).toContain(canMount ? 'has 0.5 MB free' : 'mount');
    expect(times(run.stderr(), /./)).toBe(1);
  });

  it("is reported before the run if a file has the folder's name", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'plan.yaml'), planToYaml(planOf()));
    writeFileSync(join(folder, 'out'), '');
    const { status, stderr } = spawnSync(
      process.execPath,
      [cli, 'run', join(folder, 'plan.yaml'), '--out', join(folder, 'out', 'deep')],
      { encoding: 'utf8' },
    );
    expect(status).toBe(2);
    expect(stderr).toBe(
      `The folder ${join(folder, 'out', 'deep')} can't be used for runs: ${join(folder, 'out')} is a file, not a folder. Choose another folder.\n`,
    );
  });
});

function fillDisk(folder: string): void {
  try {
    writeFileSync(join(folder, 'fill'), Buffer.alloc(8 << 20));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Output of a command. */
async function output(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}

const isLab = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0lab\0');

/** The result from the run file. */
function keptOf({ out }: RunOfCli): { verdict: string | undefined; sentence: string | undefined } {
  const library = openRunLibrary(out);
  const [id = ''] = readdirSync(out).flatMap((name) => /^(.*)\.fullhouse$/.exec(name)?.[1] ?? []);
  const { verdict } = readSaved(library, id, (reader) => reader.view());
  return { verdict: verdict?.verdict, sentence: verdict?.sentence };
}

describe.concurrent('a run ends gracefully', () => {
  it('when its terminal closes: like SIGTERM, and a second SIGHUP of the same event forces nothing', async () => {
    const run = startRun({ holdMs: 600_000 });
    await run.says('viewers connected');
    const agents = childrenOf(run.pid);
    run.child.stderr?.destroy();
    run.child.kill('SIGHUP');
    run.child.kill('SIGHUP');
    expect(await run.closed).toBe(130);
    expect(resultOf(run)).toMatchObject({ verdict: 'stopped', viewers: { connectedPeak: 20 } });
    expect(agents.filter(exists)).toEqual([]);
  });

  it('when the reader of its output has closed the pipe, like `| head`', async () => {
    const run = startRun({ holdMs: 8000 });
    await run.says('viewers connected');
    run.child.stderr?.destroy();
    run.child.stdout?.destroy();
    expect(await run.closed).toBe(0);
    expect(keptOf(run)).toMatchObject({ verdict: 'pass' });
  });

  it('when its origin dies, as the first reason of the verdict', async () => {
    const run = startRun({ holdMs: 600_000 });
    await run.says('viewers connected');
    // During the run other processes see it as running.
    const [file = ''] = readdirSync(run.out).filter((name) => name.endsWith('.fullhouse'));
    const report = join(run.home, 'report.md');
    const [shown] = await Promise.all([
      output('show', join(run.out, file), '--json'),
      output('report', join(run.out, file), '--format', 'markdown', '--out', report),
    ]);
    expect(JSON.parse(shown)).toMatchObject({ verdict: 'running' });
    expect(readFileSync(report, 'utf8')).toMatch(/running/i);

    const [lab] = childrenOf(run.pid).filter(isLab);
    process.kill(lab ?? 0, 'SIGKILL');
    expect(await run.closed).toBe(1);
    const { verdict, reasons, ended } = resultOf(run);
    expect(verdict).toBe('fail');
    expect(ended).toMatchObject({ kind: 'origin-lost' });
    // Its publication has ended too.
    expect(run.stderr()).not.toMatch(/Publication .* does not exist/);
    const second = /^(\d\d:\d\d:\d\d) {2}origin: The lab agent was ended by SIGKILL/m.exec(run.stderr())?.[1];
    expect(reasons[0]).toBe(
      `origin stopped responding at ${second}. The lab agent was ended by SIGKILL, as by a user or when memory runs out; start again to restart it.`,
    );
    expect(keptOf(run).sentence).toContain(`origin stopped responding at ${second}.`);
  });
});
