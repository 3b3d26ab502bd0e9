import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { openRunLibrary, readSaved } from '../../src/engine/store';
import { until } from '../support/until';
import { cleanUp, cli, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

/** A clock that is set during a run, and a machine or an agent that is suspended, are drills. */
it.runIf(process.platform === 'linux')(
  'a console that was suspended for 15 s has the data that its agents measured meanwhile, and reports the pause',
  async () => {
    const folder = temporaryFolder();
    const plan = join(folder, 'plan.yaml');
    writeFileSync(plan, planToYaml(planOf({ viewers: 20, ratePerSecond: 20, holdMs: 60_000 })));
    const run = spawn(process.execPath, [cli, 'run', plan, '--out', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
    later(() => void run.kill('SIGKILL'));
    let output = '';
    run.stderr.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise<number | null>((resolve) => run.once('exit', (code) => resolve(code)));
    expect(await until(() => output.includes('All 20 viewers connected'), 60_000), output).toBe(true);
    await sleep(1500);
    run.kill('SIGSTOP');
    await sleep(15_000);
    run.kill('SIGCONT');
    // Inconclusive.
    expect(await ended).toBe(3);
    expect(output).toMatch(/run: This console did not run for 1\d s: its process was stopped/);
    const [id = ''] = readdirSync(folder).flatMap((name) => /^(.*)\.fullhouse$/.exec(name)?.[1] ?? []);
    readSaved(openRunLibrary(folder), id, (reader) => {
      expect(reader.view().verdict?.sentence).toMatch(
        /^This console did not run for 1\d s.* audience: No console connected for 10s: 20 viewers disconnected\.$/,
      );
      // From the first viewer to the audience's own shutdown, 10 s into the suspension, without a gap.
      const { timeMs } = reader.values('audience', 'viewersConnected');
      const between = timeMs.slice(1).map((ms, place) => ms - (timeMs[place] ?? 0));
      expect(between.length).toBeGreaterThan(9);
      expect(Math.max(...between)).toBeLessThan(5000);
    });
  },
  120_000,
);
