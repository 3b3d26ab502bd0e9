import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { openRunLibrary } from '../../src/engine/store';
import { until } from '../support/until';
import { childrenOf, cleanUp, cli, exists, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

it.runIf(process.platform === 'linux')('a killed engine leaves a complete file and no viewers behind', async () => {
  const folder = temporaryFolder();
  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, planToYaml(planOf({ viewers: 100, ratePerSecond: 100, holdMs: 600_000 })));
  const engine = spawn(process.execPath, [cli, 'run', plan, '--out', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  engine.stderr.on('data', (chunk) => (output += String(chunk)));
  later(() => void engine.kill('SIGKILL'));
  const library = openRunLibrary(folder);
  const runFile = (): string | undefined => readdirSync(folder).find((name) => name.endsWith('.fullhouse'));
  expect(await until(() => output.includes('All 100 viewers connected'), 60_000)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const children = childrenOf(engine.pid ?? 0);
  // Two agents, and the process that writes the file.
  expect(children).toHaveLength(3);

  const killedMs = Date.now();
  engine.kill('SIGKILL');
  await new Promise((resolve) => engine.once('exit', resolve));

  const id = (runFile() ?? '').replace('.fullhouse', '');
  // The process that writes the file ends with its parent.
  expect(await until(() => library.list()[0]?.verdict === 'interrupted')).toBe(true);
  expect(library.list()).toMatchObject([{ id }]);
  const reader = library.open(id);
  try {
    const connected = reader.values('audience', 'viewersConnected');
    expect(Math.max(...connected.value)).toBe(100);
    // The last second may be missing, and may be a long one; everything before it is saved.
    const lastMs = connected.timeMs[connected.timeMs.length - 1] ?? 0;
    expect(killedMs - lastMs).toBeLessThan(6000);
    const gaps = connected.timeMs.slice(1).map((timeMs, index) => timeMs - (connected.timeMs[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(5000);
    expect(reader.view().verdict?.verdict).toBe('interrupted');
  } finally {
    reader.close();
  }
  expect(await until(() => !children.some(exists), 30_000)).toBe(true);
});
