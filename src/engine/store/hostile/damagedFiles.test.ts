import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepCustomerRun } from '../../../../tests/integration/servers/customerRun';
import { openRunLibrary } from '../index';
import { applyDamage, damageKinds } from '../../../../tests/support/hostile/damagedFiles';
import type { Probed, Stage } from '../../../../tests/support/hostile/probe';
import { Probe, type Ended } from '../../../../tests/support/hostile/probing';

/**
 * Randomly damaged files, each read, imported and exported: the result is a sentence, the remaining data with a report
 * of what is missing, or exactly what was recorded. `RUNS=2000` (`npm run fuzz:runs`) tries that many of each kind;
 * `SEED` repeats one draw.
 */
const runs = Number(process.env.RUNS ?? 60);
const seed = Number(process.env.SEED ?? 11);

let folder: string;
let good: string;
let probe: Probe;
let truth: Stage['parts'];
const counts: Record<string, Record<string, number>> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-fuzz-'));
  const library = openRunLibrary(join(folder, 'made'));
  const id = keepCustomerRun(library);
  library.compact(id);
  good = library.path(id);
  probe = await Probe.make();
  const whole = (await probe.ask(good)) as Probed;
  truth = whole.stages[0]?.parts ?? {};
  expect(whole.stages.map(({ outcome }) => outcome)).toEqual(['verified', 'verified', 'verified']);
}, 60_000);
afterAll(async () => {
  await probe.remove();
  rmSync(folder, { recursive: true, force: true });
  if (process.env.RUNS !== undefined) console.log(JSON.stringify(counts, undefined, 2));
});

/** What is wrong with the outcome of a file; undefined: nothing. */
function fault(answer: Probed | Ended): string | undefined {
  if ('ended' in answer) return `it ended the process: ${answer.ended}`;
  if (answer.ms > 2000) return `it took ${answer.ms} ms`;
  if (answer.rssMb > 300) return `it took ${answer.rssMb} MB`;
  for (const { stage, outcome, text, parts } of answer.stages) {
    if (outcome === 'raw') return `${stage}: no sentence: ${text}`;
    if (outcome === 'damaged' && text === '') return `${stage}: damaged, but not reported`;
    if (outcome !== 'verified') continue;
    const changed = Object.keys(truth).filter((part) => parts[part] !== truth[part]);
    // A truncated run is reported in its verdict, and has the remaining samples.
    if (changed.length > 0) return `${stage}: verified with another ${changed.join(', ')}`;
  }
  return undefined;
}

describe('run files', () => {
  it.each(damageKinds)(
    'with $name are refused with a sentence, read with a report of what is missing, or read unchanged',
    async ({ name, damages }) => {
      const tally: Record<string, number> = {};
      counts[name] = tally;
      const faults: string[] = [];
      for (const [i, how] of fc.sample(damages, { numRuns: runs, seed }).entries()) {
        const path = join(folder, `${i}.fullhouse`);
        applyDamage(good, path, how);
        const answer = await probe.ask(path);
        for (const file of readdirSync(folder)) if (file.startsWith(`${i}.`)) rmSync(join(folder, file));
        const wrong = fault(answer);
        if (wrong !== undefined) faults.push(`${JSON.stringify(how)}: ${wrong}`);
        const outcomes =
          'ended' in answer ? ['ended'] : answer.stages.map(({ stage, outcome }) => `${stage} ${outcome}`);
        for (const outcome of outcomes) tally[outcome] = (tally[outcome] ?? 0) + 1;
      }
      expect(faults).toEqual([]);
    },
    Math.max(60_000, runs * 600),
  );
});
