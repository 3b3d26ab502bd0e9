import { appendFileSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchRunsFolder } from './runsFolderWatch';

let folder: string;
let stop: () => void;
let changes = 0;
let tick: () => void = () => undefined;

/** One reading of the folder. */
async function read(): Promise<void> {
  tick();
  await new Promise((resolve) => setTimeout(resolve, 40));
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-test-'));
  writeFileSync(join(folder, 'monday.fullhouse'), 'monday');
  changes = 0;
  const clock = {
    now: () => 0,
    wall: () => 0,
    monotonic: () => 0,
    after: (_ms: number, call: () => void) => {
      tick = call;
      return () => (tick = () => undefined);
    },
  };
  stop = watchRunsFolder({ clock, folder, ownRun: () => 'own', onChange: () => (changes += 1) });
  await read();
  await read();
  await read();
  expect(changes).toBe(0);
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

it('reports a run of another program once it rests, and one that was removed', async () => {
  const path = join(folder, 'tuesday.fullhouse');
  for (let second = 0; second < 3; second += 1) {
    appendFileSync(`${path}-wal`, 'samples');
    await read();
  }
  expect(changes).toBe(0);
  writeFileSync(path, 'tuesday');
  unlinkSync(`${path}-wal`);
  await read();
  expect(changes).toBe(0);
  await read();
  expect(changes).toBe(1);
  await read();
  expect(changes).toBe(1);
  unlinkSync(path);
  await read();
  expect(changes).toBe(2);
});

it('does not report the run that this engine writes, nor other files', async () => {
  writeFileSync(join(folder, 'own.fullhouse'), 'own');
  writeFileSync(join(folder, 'notes.txt'), 'text');
  await read();
  await read();
  expect(changes).toBe(0);
});

it('reads a folder at rest completely once in a while only, and finds a file overwritten in place then', async () => {
  writeFileSync(join(folder, 'monday.fullhouse'), 'another monday');
  for (let reading = 0; reading < 5; reading += 1) await read();
  expect(changes).toBe(0);
  for (let reading = 0; reading < 30; reading += 1) await read();
  expect(changes).toBe(1);
});
