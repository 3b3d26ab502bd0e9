import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { cleanUp, cli, later, temporaryFolder } from '../integration/support';
import type { Cluster } from '../support/cluster/cluster';
import { until } from '../support/until';
import { clusterForTesters, labFor, namespace, objectsIn, planWith, podsOf } from './support';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await clusterForTesters();
});
afterAll(() => cluster?.stop());
afterEach(cleanUp);

function fullhouse(...args: string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', timeout: 120_000 });
}

it('cleanup deletes what a killed console has left, and nothing of a running one', async () => {
  const lab = await labFor(cluster);
  const folder = temporaryFolder();
  const plan = planWith(lab, podsOf(cluster, { replicas: 2 }), { viewers: 20, ratePerSecond: 20, holdMs: 120_000 });
  writeFileSync(join(folder, 'plan.yaml'), planToYaml(plan));
  const run = spawn(process.execPath, [cli, 'run', 'plan.yaml', '--out', folder, '--yes', '--allow-hooks'], {
    cwd: folder,
    stdio: 'ignore',
  });
  later(() => void run.kill('SIGKILL'));
  expect(await until(() => lab.viewers.at(-1) === 20, 60_000)).toBe(true);

  const where = ['--kubeconfig', cluster.restrictedKubeconfig, '--namespace', namespace];
  const whileRunning = fullhouse('cleanup', ...where, '--yes');
  expect(whileRunning.stdout).toContain('in use by a running console');
  expect(whileRunning.status).toBe(0);
  expect(lab.viewers.at(-1)).toBe(20);

  run.kill('SIGKILL');
  await once(run, 'exit');
  expect(await objectsIn(cluster)).toHaveLength(4);
  const listed = fullhouse('cleanup', ...where);
  expect(listed.status).toBe(1);
  expect(listed.stdout).toMatch(
    new RegExp(`^fullhouse-load-\\w+: 2 pods of load, by .+, process ${run.pid}, \\d+ min old$`, 'm'),
  );
  expect(await objectsIn(cluster)).toHaveLength(4);

  const deleted = fullhouse('cleanup', ...where, '--yes');
  expect(deleted.status, deleted.stderr).toBe(0);
  expect(await objectsIn(cluster)).toEqual([]);
  expect(await until(() => lab.viewers.at(-1) === 0, 5000)).toBe(true);
  expect(fullhouse('cleanup', ...where).stdout).toContain('Nothing to delete');
});

it('check lists what the user may do', () => {
  const allowed = fullhouse(
    'kubernetes',
    'check',
    '--kubeconfig',
    cluster.restrictedKubeconfig,
    '--namespace',
    namespace,
  );
  expect(allowed.status, allowed.stderr).toBe(0);
  expect(allowed.stdout).toContain('+ connect to the agents');
  expect(allowed.stdout).toContain('- preflight: CPU of the nodes: may not list nodes');
  const refused = fullhouse(
    'kubernetes',
    'check',
    '--kubeconfig',
    cluster.restrictedKubeconfig,
    '--namespace',
    'default',
  );
  expect(refused.status).toBe(1);
  expect(refused.stdout).toContain('- the token of the agents: may not create secrets, delete secrets');
});
