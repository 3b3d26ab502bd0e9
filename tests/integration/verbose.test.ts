import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { cleanUp, cli, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

/** Standard error of a command. */
async function statusOf(folder: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder });
  later(() => void child.kill('SIGKILL'));
  child.stdout.resume();
  let status = '';
  child.stderr.on('data', (chunk) => (status += String(chunk)));
  await new Promise((resolve) => child.once('close', resolve));
  return status;
}

it('--verbose prints agents, links and files of a run to standard error', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'plan.yaml'), planToYaml(planOf({ viewers: 5, ratePerSecond: 20, holdMs: 1000 })));
  const status = await statusOf(folder, 'run', 'plan.yaml', '--verbose');
  expect(status).toMatch(/^\[info\] Started the lab agent .*: process \d+/m);
  expect(status).toMatch(/^\[debug\] Link to .*: live\.$/m);
  expect(status).toMatch(/^\[debug\] Run file .*\.fullhouse created\.$/m);
  expect(status).toMatch(/^\[info\] Run \S+ ended: /m);
});

it('only with it the failed requests of a probe are printed', async () => {
  // Nothing listens there.
  const probe = ['probe', 'http://127.0.0.1:9'] as const;
  expect(await statusOf(temporaryFolder(), ...probe, '--verbose')).toMatch(/^\[debug\] .*127\.0\.0\.1:9.* failed: /m);
  expect(await statusOf(temporaryFolder(), ...probe)).not.toMatch(/^\[(info|debug)\]/m);
});
