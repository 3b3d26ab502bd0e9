import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { cleanUp, cli, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

/** Runs the command line with a world-writable temporary folder; resolves with its exit code. */
function fullhouse(args: readonly string[], shared: string): Promise<number | null> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: shared,
    env: { ...process.env, TMPDIR: shared },
    stdio: 'ignore',
  });
  later(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => child.once('close', resolve));
}

it.each([
  ['probe', (): string[] => ['probe', '127.0.0.1:9']],
  ['preflight', (plan: string): string[] => ['preflight', plan]],
  ['remove-agent', (): string[] => ['remove-agent', 'nobody@127.0.0.1:9']],
])("%s follows no link that another user planted in the system's temporary folder", async (_, args) => {
  const shared = temporaryFolder();
  const victim = temporaryFolder();
  const plan = join(victim, 'plan.yaml');
  writeFileSync(plan, planToYaml(planOf()));
  const old = join(victim, 'old.fullhouse');
  writeFileSync(old, 'ten days old');
  const longAgo = Date.now() / 1000 - 10 * 24 * 60 * 60;
  utimesSync(old, longAgo, longAgo);
  mkdirSync(join(shared, 'fullhouse-no-runs'));
  symlinkSync(victim, join(shared, 'fullhouse-no-runs', '.trash'));

  await fullhouse(args(plan), shared);
  expect(existsSync(old)).toBe(true);
  expect(readdirSync(shared)).toEqual(['fullhouse-no-runs']);
});
