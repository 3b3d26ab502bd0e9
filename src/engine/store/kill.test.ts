import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { build } from 'vite';
import { openRunLibrary } from './index';
import { testStartMs } from '../../../tests/support/savedRun';

let folder: string;

beforeEach(async () => {
  // Within the project, so that the bundle finds its external packages.
  folder = mkdtempSync(join(import.meta.dirname, '.kill-test-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(import.meta.dirname, '..', '..', '..', 'tests', 'support', 'runWriter.ts'),
      outDir: folder,
      rollupOptions: { output: { format: 'cjs', entryFileNames: 'writer.cjs' } },
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps every sample up to the last second when the writing process is killed', async () => {
  const runs = join(mkdtempSync(join(tmpdir(), 'fullhouse-kill-')));
  const child = spawn(process.execPath, [join(folder, 'writer.cjs'), runs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  let second = -1;
  for await (const line of lines) {
    second = Number(line);
    if (second === 5) {
      // While it is alive, its run is listed as running.
      expect(openRunLibrary(runs).list()).toMatchObject([{ verdict: 'running' }]);
    }
    if (second === 200) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');

  const library = openRunLibrary(runs);
  const [row] = library.list();
  expect(row).toMatchObject({ id: 'killed', verdict: 'interrupted', cpuMaxPercent: 50 });
  const reader = library.open('killed');
  const { timeMs, value } = reader.values('origin', 'cpuPercent');
  expect(timeMs.length).toBeGreaterThanOrEqual(second + 1);
  expect(timeMs).toEqual(timeMs.map((_, i) => testStartMs + i * 1000));
  expect(value).toEqual(timeMs.map((_, i) => i % 51));
  expect(reader.view()).toMatchObject({
    state: 'ended',
    endedMs: timeMs.at(-1),
    verdict: { verdict: 'interrupted' },
  });
  expect(reader.view().phases.at(-1)?.endMs).toBe(timeMs.at(-1));
  reader.close();
  rmSync(runs, { recursive: true, force: true });
});
