import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import type { Audience } from '../../src/domain/model/plan';
import { openRunLibrary, type RunReader } from '../../src/engine/store';
import { until } from '../support/until';
import { cleanUp, cli, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

/** Debian's faketime, one of the test packages: fakes the time of day for Node; the monotonic clock is unchanged. */
const faketime = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);

interface CommandRun {
  readonly process: ChildProcess;
  readonly folder: string;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

/** The command line with a plan for the lab, in a separate process. */
function runInTerminal(pull: Partial<Audience>, env: NodeJS.ProcessEnv = {}): CommandRun {
  const folder = temporaryFolder();
  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, planToYaml(planOf(pull)));
  const child = spawn(process.execPath, [cli, 'run', plan, '--out', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  later(() => void child.kill('SIGKILL'));
  return { process: child, folder, output: () => output, ended };
}

function reading<T>(folder: string, read: (reader: RunReader) => T): T {
  const file = readdirSync(folder).find((name) => name.endsWith('.fullhouse')) ?? '';
  const reader = openRunLibrary(folder).open(file.replace('.fullhouse', ''));
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

/** Intervals between the samples of a series. */
function gaps(reader: RunReader, node: string, series: 'viewersConnected' | 'originViewers' | 'load1'): number[] {
  const { timeMs } = reader.values(node, series);
  expect(timeMs.length).toBeGreaterThan(5);
  return Array.from(timeMs.slice(1), (each, index) => each - (timeMs[index] ?? 0));
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it.runIf(process.platform === 'linux')(
  'a clock that is set back and forward during a run moves neither its hold nor its samples, and is reported',
  async () => {
    if (!faketime) throw new Error('libfaketime is missing; npm test installs it (the package faketime).');
    const folder = temporaryFolder();
    const shift = join(folder, 'shift');
    writeFileSync(shift, '+0\n');
    const run = runInTerminal(
      { viewers: 20, ratePerSecond: 20, holdMs: 12_000 },
      {
        LD_PRELOAD: faketime,
        FAKETIME_TIMESTAMP_FILE: shift,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    );
    expect(await until(() => run.output().includes('All 20 viewers connected'), 60_000), run.output()).toBe(true);
    for (const setBy of ['-3600', '-3610', '-3600', '+0']) {
      await sleep(2500);
      writeFileSync(shift, `${setBy}\n`);
    }
    await run.ended;
    for (const step of ['back by 3,600 s', 'back by 10 s', 'forward by 10 s', 'forward by 3,600 s'])
      expect(run.output()).toContain(`The clock of this machine was set ${step}; times of this run continue`);
    reading(run.folder, (reader) => {
      const view = reader.view();
      expect(view.figures).toMatchObject({ connectedPeak: 20, failed: 0 });
      const hold = view.phases.find(({ name }) => name === 'hold');
      const heldMs = (hold?.endMs ?? 0) - (hold?.startMs ?? 0);
      // The hold of 12 s counts from the last arrival, shortly before its phase starts.
      expect(heldMs).toBeGreaterThan(11_000);
      expect(heldMs).toBeLessThan(25_000);
      for (const [node, series] of [
        ['audience', 'viewersConnected'],
        ['origin', 'originViewers'],
        ['origin', 'load1'],
      ] as const) {
        const between = gaps(reader, node, series);
        expect(Math.min(...between)).toBeGreaterThan(0);
        // None was overwritten and none is an hour off.
        expect(Math.max(...between)).toBeLessThan(6000);
      }
    });
  },
  120_000,
);

it.runIf(process.platform === 'linux')(
  'a console that was suspended for 15 s has the data that its agents measured meanwhile, and reports the pause',
  async () => {
    const run = runInTerminal({ viewers: 20, ratePerSecond: 20, holdMs: 60_000 });
    expect(await until(() => run.output().includes('All 20 viewers connected'), 60_000), run.output()).toBe(true);
    await sleep(1500);
    run.process.kill('SIGSTOP');
    await sleep(15_000);
    run.process.kill('SIGCONT');
    // Inconclusive.
    expect(await run.ended).toBe(3);
    expect(run.output()).toMatch(/run: This console did not run for 1\d s: its process was stopped/);
    reading(run.folder, (reader) => {
      const { verdict } = reader.view();
      expect(verdict).toMatchObject({ verdict: 'inconclusive' });
      expect(verdict?.sentence).toMatch(
        /^This console did not run for 1\d s.* audience: No console connected for 10s: 20 viewers disconnected\.$/,
      );
      // From the first viewer to the audience's own shutdown, 10 s into the suspension, without a gap.
      const between = gaps(reader, 'audience', 'viewersConnected');
      expect(between.length).toBeGreaterThan(9);
      expect(Math.max(...between)).toBeLessThan(5000);
    });
  },
  120_000,
);
