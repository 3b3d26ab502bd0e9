import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { defaultExpectations } from '../../src/domain/model/plan';
import type { RunView } from '../../src/domain/model/run';
import { readThisHost } from '../../src/engine/telemetry/hostReader';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, root, waitForRun } from './support';

afterEach(cleanUp);

/** Upper limit, whatever the result of the test. */
const burnSeconds = 60;

/**
 * Keeps all processors busy. Each burner is a child of an ended shell: children of this process would count as the
 * console's own.
 */
async function burn(): Promise<void> {
  const burner = join(root, 'tests', 'bench', 'busy', 'burner.mjs');
  for (let core = 0; core < cpus().length; core += 1) {
    const shell = spawn(
      'sh',
      ['-c', '"$@" & wait_for=$!; exit 0', 'sh', process.execPath, burner, `${burnSeconds}`, `${process.pid}`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [text] = (await once(shell.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString().trim());
    later(() => {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    });
  }
}

async function pull(baselineMs?: number): Promise<RunView> {
  const engine = engineInTemporaryFolder({ baselineMs, readHost: readThisHost });
  const end = ended(engine);
  const plan = planOf({ viewers: 100, ratePerSecond: 50, holdMs: 8000 }, { expect: defaultExpectations });
  await engine.client.call('runs.start', { plan });
  return end;
}

it.runIf(process.platform === 'linux')(
  'a lab on a machine that other programs keep busy is inconclusive and names them',
  async () => {
    await burn();
    const { verdict, baseline, phases, otherLoad } = await pull(3000);
    expect(verdict?.verdict).toBe('inconclusive');
    expect(verdict?.reasons[0]?.sentence).toMatch(
      /^This machine was busy: other programs used \d+ % of its CPU \(top: .+ \d+ %\)\.$/,
    );
    expect(verdict?.reasons[0]?.causedBy).toBe('machine');
    expect((otherLoad ?? []).flatMap(({ programs }) => programs.map(({ name }) => name))).toContain('burner');
    expect(phases.map(({ name }) => name).slice(0, 3)).toEqual(['prepare', 'baseline', 'ramp']);
    const [host] = baseline ?? [];
    expect(host?.nodes).toEqual(['origin', 'audience']);
    expect(host?.values.otherCpuPercent).toBeGreaterThan(30);
    expect(host?.values.memoryUsedBytes).toBeGreaterThan(0);
  },
);

it('the same lab without burners does not fail, regardless of other load', async () => {
  expect((await pull()).verdict?.verdict).not.toBe('fail');
});

it('a stop during the baseline starts no viewer, and a pull added meanwhile waits', async () => {
  const engine = engineInTemporaryFolder({ baselineMs: 30_000 });
  const end = ended(engine);
  const plan = planOf({ viewers: 5 });
  await engine.client.call('runs.start', { plan });
  await waitForRun(engine, ({ phases }) => phases.at(-1)?.name === 'baseline');
  await engine.client.call('runs.start', { plan });
  await engine.client.call('runs.stopAll', { force: false });
  const { phases, figures } = await end;
  expect(phases.map(({ name }) => name)).toEqual(['prepare', 'baseline']);
  expect(figures.connectedPeak).toBe(0);
});
