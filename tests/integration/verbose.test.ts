import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { cleanUp, cli, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

/** Standard error of a run of five viewers. */
async function statusOf(...options: string[]): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'plan.yaml'), planToYaml(planOf({ viewers: 5, ratePerSecond: 20, holdMs: 1000 })));
  const child = spawn(process.execPath, [cli, 'run', 'plan.yaml', ...options], { cwd: folder });
  later(() => void child.kill('SIGKILL'));
  child.stdout.resume();
  let status = '';
  child.stderr.on('data', (chunk) => (status += String(chunk)));
  await new Promise((resolve) => child.once('close', resolve));
  return status;
}

it('--verbose prints agents, links and files of a run to standard error', async () => {
  const status = await statusOf('--verbose');
  expect(status).toMatch(/^\[info\] Started the lab agent .*: process \d+/m);
  expect(status).toMatch(/^\[debug\] Link to .*: live\.$/m);
  expect(status).toMatch(/^\[debug\] Run file .*\.fullhouse created\.$/m);
  expect(status).toMatch(/^\[info\] Run \S+ ended: /m);
});

it('without it nothing of that is printed', async () => {
  expect(await statusOf()).not.toMatch(/^\[(info|debug)\]|Started the lab agent|Run file/m);
});
