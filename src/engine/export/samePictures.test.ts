import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { distributionIds } from '../../domain/series/distributions';
import { saveEmptyRun } from '../../domain/redaction';
import { reportScene, RunColumns } from '../report/pageData';
import { openRunLibrary, type RunLibrary, type RunReader } from '../store';
import { saveThousandViewers } from '../../../tests/support/reportRun';
import { plantedRunId, savePlantedRun } from '../../../tests/support/plantedRun';
import { redactedReader } from './redactReader';
import { redactorOf, writeSnapshot } from './snapshot';

let folder: string;
let library: RunLibrary;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-pictures-'));
  library = openRunLibrary(join(folder, 'runs'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A value with each text by the place of its first occurrence: the same but for names, if these are told apart alike. */
function withoutNames(value: unknown): unknown {
  const places = new Map<string, number>();
  const placeOf = (text: string): string => {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return `text ${place}`;
  };
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return placeOf(each);
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, field]) => [key, walk(field)]));
  };
  return walk(value);
}

/** All that is drawn, and the figures beside it. */
function pictureOf(reader: RunReader): {
  readonly named: unknown;
  readonly data: readonly string[];
  readonly figures: unknown;
} {
  const view = reader.view();
  const scene = reportScene(view, reader.events(), new RunColumns(reader, view.startedMs));
  const overview = reader.overview(view.startedMs, (view.endedMs ?? 0) + 1, 60);
  const histograms = reader.histograms({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, stepMs: 1000 });
  return {
    named: withoutNames([
      scene,
      overview,
      reader.keys(),
      reader.summaries(),
      view.nodes.map(({ host, colourSlot, role }) => [host, colourSlot, role]),
      view.verdict?.reasons.map(({ node, series, timeMs, number, causedBy }) => [
        node,
        series,
        timeMs,
        number,
        causedBy,
      ]),
      view.testerLimits?.map(({ node, fromMs, toMs }) => [node, fromMs, toMs]),
    ]),
    data: scene.series.map(({ data }) => data),
    figures: {
      figures: view.figures,
      phases: view.phases,
      verdict: view.verdict?.verdict,
      count: reader.count(),
      limit: view.limit?.viewers,
      axes: scene.charts.map(({ panels }) => panels.map(({ unit }) => unit)),
      audiences: [...new Set(reader.keys().map(({ node }) => node))].filter((node) => node.startsWith('audience:')),
      histograms: histograms.map(({ timeMs, audience, distribution, histogram }) => [
        timeMs,
        audience,
        distributionIds.indexOf(distribution),
        histogram.count,
        histogram.low,
        histogram.high,
      ]),
    },
  };
}

describe.each([
  ['thousand', () => saveThousandViewers(library)],
  [plantedRunId, () => savePlantedRun(library)],
  [plantedRunId, () => savePlantedRun(library, { imported: undefined, layout: undefined })],
] as const)('the charts of %s', (run, save) => {
  it('are the same in a copy and in an anonymized report, but for names', () => {
    save();
    const original = library.open(run);
    const expected = pictureOf(original);
    expect(expected.data.length).toBeGreaterThan(10);

    const report = redactedReader(original, redactorOf(library, run, saveEmptyRun));
    expect(pictureOf(report)).toEqual(expected);

    const path = join(folder, 'copy.fullhouse');
    writeSnapshot(library, run, saveEmptyRun, path);
    const elsewhere = openRunLibrary(join(folder, 'elsewhere'));
    const copy = elsewhere.open(elsewhere.importFile(path).id);
    expect(pictureOf(copy)).toEqual(expected);
    expect(copy.integrity()).toEqual({ state: 'verified', sentences: [] });
    copy.close();
    original.close();
  });
});
