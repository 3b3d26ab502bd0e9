import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ramp, samplesOf, viewOf, type RunFixture } from '../../../tests/support/measured';
import { openRunLibrary, readSaved, type RunLibrary } from '../store';
import { ciSummary } from './ciSummary';

const day = Date.UTC(2026, 10, 12, 9);
let folder: string;
let runs: RunLibrary;
let baselines: RunLibrary;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-ci-'));
  const open = (name: string): RunLibrary => openRunLibrary(join(folder, name), { repeat: () => () => undefined });
  [runs, baselines] = [open('runs'), open('baselines')];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function save(library: RunLibrary, changes: Partial<RunFixture> & Pick<RunFixture, 'id'>): void {
  const fixture: RunFixture = { startedMs: day, viewers: ramp(100, 20, 20), cpu: (viewers) => viewers / 4, ...changes };
  const view = viewOf(fixture);
  const writer = library.create({ ...view, state: 'running' }, { version: '0.1.0' });
  writer.append(samplesOf(fixture));
  writer.finish(view);
}

const summary = (link?: string): string =>
  readSaved(runs, 'now', (reader) => ciSummary(reader, { library: baselines, link }));

describe('the summary for CI', () => {
  it('has the figures beside those of the baseline, with the bounds while the noise is unknown', () => {
    save(baselines, { id: 'base' });
    baselines.keep('base', { isBaseline: true });
    save(runs, { id: 'now', startedMs: day + 86_400_000, cpu: (viewers) => viewers / 2 });
    const text = summary('https://ci.example/jobs/1_(2)');
    expect(text).toContain('| CPU at 100 viewers | 25 % | 50 % | +25 points | 5 points (bound) | **worse** |');
    expect(text).toContain('| The peak viewer count | 100 | 100 | 0 viewers | 1 viewer (bound) | within |');
    expect(text).toContain('of 12 Nov. Noise unknown, since the baseline has no repeats: fixed bounds apply.');
    expect(text).toContain('[Run file and report](https://ci.example/jobs/1_%282%29)');
  });

  it('estimates the noise from repeats', () => {
    for (const [id, share] of [
      ['base', 4],
      ['a', 2.4],
      ['b', 6],
      ['c', 3],
    ] as const)
      save(baselines, { id, cpu: (viewers) => viewers / share });
    baselines.keep('base', { isBaseline: true });
    save(runs, { id: 'now', cpu: (viewers) => viewers / 2.5 });
    const text = summary();
    expect(text).toMatch(/^\| CPU at 100 viewers \| 25 % \| 40 % \| \+15 points \| [\d.]+ points \| within \|$/m);
    expect(text).toContain('Noise of 4 runs.');
    expect(text).not.toContain('Run file and report');
  });

  it('says what differs where the baseline is another test', () => {
    save(baselines, { id: 'base', viewers: ramp(50, 20, 20) });
    baselines.keep('base', { isBaseline: true });
    save(runs, { id: 'now' });
    expect(summary()).toMatch(
      /\*\*Not compared\*\* with the baseline ".+", which is another test: .*target viewers \(50, 100\)/,
    );
  });

  it('says that there is no baseline, or no result to compare', () => {
    save(runs, { id: 'now' });
    expect(summary()).toContain('No baseline: the run was judged by the expectations of its plan only.');
    save(baselines, { id: 'base' });
    baselines.keep('base', { isBaseline: true });
    const verdict = { verdict: 'inconclusive' as const, sentence: 'Busy.', reasons: [], headroom: [] };
    save(runs, { id: 'busy', change: { verdict } });
    const busy = readSaved(runs, 'busy', (reader) => ciSummary(reader, { library: baselines }));
    expect(busy).toContain('the run has no pass or fail of its own');
    expect(busy).toContain(': INCONCLUSIVE');
  });
});
