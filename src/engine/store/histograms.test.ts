import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Histogram } from '../../domain/distribution/histogram';
import { testStartMs, testView } from '../../../tests/support/savedRun';
import { openRunLibrary, type RunLibrary, type SavedHistogram } from './index';

let folder: string;
let library: RunLibrary;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-histograms-'));
  library = openRunLibrary(folder, { repeat: () => () => undefined });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Some minutes of two audiences; every value differs. */
const seconds = 200;
const startMs = Math.floor(testStartMs / 60_000) * 60_000;
const valuesOf = (second: number, audience: number): number[] => [second + 1, 1000 * audience + second];
const row = (second: number, audience: number, values: number[]): SavedHistogram => ({
  timeMs: startMs + second * 1000,
  audience,
  distribution: 'jitterMs',
  histogram: Histogram.of(values),
});

function written(): void {
  const writer = library.create(testView('night'), { version: '0.1.0' });
  for (let second = 0; second < seconds; second += 1) {
    for (const audience of [1, 2]) {
      const [first = 0, late = 0] = valuesOf(second, audience);
      writer.histograms([row(second, audience, [first])]);
      // Another tester's report, some of them after their minute is packed.
      if (second >= 100) writer.histograms([row(second - 100, audience, valuesOf(second - 100, audience).slice(1))]);
      if (second >= 100) writer.histograms([row(second, audience, [late])]);
    }
    writer.flush();
  }
  writer.finish(testView('night', { state: 'ended', endedMs: startMs + seconds * 1000 }));
}

const all = (audience: number, from = 0, to = seconds): Histogram =>
  Histogram.of(Array.from({ length: to - from }, (_, i) => valuesOf(from + i, audience)).flat());

it.each([1000, 10_000, 60_000, 120_000])('distributions in steps of %i ms have every value once', (stepMs) => {
  written();
  const reader = library.open('night');
  const found = reader.histograms({ fromMs: startMs, toMs: startMs + seconds * 1000, stepMs });
  expect(new Set(found.map(({ timeMs }) => timeMs)).size).toBe(Math.ceil((seconds * 1000) / stepMs));
  for (const audience of [1, 2])
    expect(
      Histogram.merged(found.filter((each) => each.audience === audience).map(({ histogram }) => histogram)),
    ).toEqual(all(audience));
  const [first] = found.filter((each) => each.audience === 2);
  expect(first?.histogram).toEqual(all(2, 0, Math.min(seconds, stepMs / 1000)));
  reader.close();
});

it('an interval has no others', () => {
  written();
  const reader = library.open('night');
  const found = reader.histograms({
    ...{ fromMs: startMs + 30_000, toMs: startMs + 150_000, stepMs: 60_000 },
    wanted: ({ audience }) => audience === 1,
  });
  expect(found.map(({ timeMs, histogram }) => [(timeMs - startMs) / 1000, histogram.count])).toEqual([
    [0, 60],
    [60, 120],
    [120, 60],
  ]);
  expect(Histogram.merged(found.map(({ histogram }) => histogram))).toEqual(all(1, 30, 150));
  reader.close();
});

it('a damaged minute is left out and reported; the others are read', () => {
  written();
  library.change('night', 'The test', (database) =>
    database.run("UPDATE histogram_block SET seconds = x'00' WHERE minute_ms = ?", startMs + 60_000),
  );
  const reader = library.open('night');
  const found = reader.histograms({ fromMs: startMs, toMs: startMs + seconds * 1000, stepMs: 60_000 });
  expect(new Set(found.map(({ timeMs }) => (timeMs - startMs) / 1000))).toEqual(new Set([0, 120, 180]));
  expect(reader.integrity()).toMatchObject({
    state: 'damaged',
    sentences: ['1 minute of distributions is damaged or missing and left out.'],
  });
  reader.close();
});

it('an export has them too', () => {
  written();
  const path = join(folder, 'copy.exported');
  library.exportFile('night', path);
  library.delete('night');
  const { id } = library.importFile(path);
  const reader = library.open(id);
  const found = reader.histograms({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, stepMs: 60_000 });
  expect(Histogram.merged(found.map(({ histogram }) => histogram))?.count).toBe(seconds * 4);
  expect(reader.integrity().state).toBe('verified');
  reader.close();
});
