import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { RunIntegrity } from '../../../domain/model/run';
import { openRunLibrary, readSaved } from '../index';
import { applyDamage, damageKinds } from '../../../../tests/support/hostile/damagedFiles';

const old = join(import.meta.dirname, '../../../../tests/fixtures/runs/2-baseline.fullhouse');
/** All in one process, whose memory for SQLite is limited. */
const runs = 12;

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** What happens to a damaged file of an older format when its run is changed; undefined: nothing wrong. */
function fault(folder: string): string | undefined {
  const library = openRunLibrary(folder);
  const integrity = (): RunIntegrity['state'] => readSaved(library, 'old', (reader) => reader.integrity().state);
  const original = hashOf(library.path('old'));
  let before: string | undefined;
  try {
    before = integrity();
    library.keep('old', { note: 'ScannedTable.' });
  } catch (error) {
    if (!(error instanceof FullhouseError)) return `no sentence: ${String(error)}`;
    if (before === undefined) return undefined;
  }
  if (before !== integrity()) return `was ${before} and is ${integrity()}`;
  const isThere = readdirSync(folder).some(
    (name) => name.startsWith('old.') && hashOf(join(folder, name)) === original,
  );
  return isThere ? undefined : 'the original is lost';
}

it.each(damageKinds)(
  'an older file with $name is refused, or upgraded with its losses and its original kept',
  (kind) => {
    const faults = fc.sample(kind.damages, { numRuns: runs, seed: 13 }).flatMap((how) => {
      const folder = mkdtempSync(join(tmpdir(), 'fullhouse-damaged-'));
      try {
        applyDamage(old, join(folder, 'old.fullhouse'), how);
        const found = fault(folder);
        return found === undefined ? [] : [`${JSON.stringify(how)}: ${found}`];
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
    expect(faults).toEqual([]);
  },
);
