import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectedRunBytes, freeBytes, freeByDf, requireRoom } from './room';
import { testPlan } from './testRun';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-room-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = (holdMs: number): number =>
  expectedRunBytes({ plan: { ...testPlan, pull: { ...testPlan.pull, holdMs } } });

describe('room for a run', () => {
  it('is as much as its length may take; one without end counts as ten minutes', () => {
    const [minute, hour, open] = [60_000, 3_600_000, 0].map(bytesOf) as [number, number, number];
    expect(minute).toBeLessThan(6 << 20);
    expect(hour).toBeGreaterThan(8 << 20);
    expect(hour).toBeLessThan(16 << 20);
    expect(open).toBe(bytesOf(600_000));
  });

  it.runIf(process.platform !== 'win32')('is read by df where Node.js does not tell', () => {
    const [told, read] = [freeBytes(folder) ?? 0, freeByDf(folder) ?? 0];
    expect(read).toBeGreaterThan(0);
    expect(Math.abs(read - told) / told).toBeLessThan(0.1);
  });

  it('is asked for with a sentence, and leaves nothing in the folder', () => {
    requireRoom(join(folder, 'deep', 'runs'), 1);
    expect(readdirSync(join(folder, 'deep', 'runs'))).toEqual([]);
    expect(() => requireRoom(folder, 1e18)).toThrow(/ free; this run may need .* Make room there/);
    writeFileSync(join(folder, 'file'), '');
    expect(() => requireRoom(join(folder, 'file', 'runs'), 1)).toThrow(
      `can't be used for runs: ${join(folder, 'file')} is a file, no folder.`,
    );
  });
});
