import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectedRunBytes, freeBytes, freeByDf, requireSpace } from './diskSpace';
import { testPlan } from '../../../tests/support/savedRun';
import { audienceIn } from '../../../tests/support/pullPlan';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-room-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = (holdMs: number): number =>
  expectedRunBytes({ plan: { ...testPlan, pull: { ...audienceIn(testPlan), holdMs } } });

describe('disk space for a run', () => {
  it('depends on its duration; one without end counts as ten minutes', () => {
    const [minute, hour, open] = [60_000, 3_600_000, 0].map(bytesOf) as [number, number, number];
    expect(minute).toBeLessThan(6 << 20);
    expect(hour).toBeGreaterThan(8 << 20);
    expect(hour).toBeLessThan(16 << 20);
    expect(open).toBe(bytesOf(600_000));
  });

  it.runIf(process.platform !== 'win32')('is read with df where Node.js does not support it', () => {
    const [measured, read] = [freeBytes(folder) ?? 0, freeByDf(folder) ?? 0];
    expect(read).toBeGreaterThan(0);
    expect(Math.abs(read - measured) / measured).toBeLessThan(0.1);
  });

  it.runIf(process.platform === 'linux')('ends where nothing can be created', () => {
    expect(() => requireSpace('/proc/fullhouse/runs', 1)).toThrow(
      "The folder /proc/fullhouse/runs can't be used for runs",
    );
  });

  it('is requested with a sentence, and leaves nothing in the folder', () => {
    requireSpace(join(folder, 'deep', 'runs'), 1);
    expect(readdirSync(join(folder, 'deep', 'runs'))).toEqual([]);
    expect(() => requireSpace(folder, 1e18)).toThrow(/ free; this run may need .* Free space there/);
    writeFileSync(join(folder, 'file'), '');
    expect(() => requireSpace(join(folder, 'file', 'runs'), 1)).toThrow(
      `can't be used for runs: ${join(folder, 'file')} is a file, not a folder.`,
    );
  });
});
