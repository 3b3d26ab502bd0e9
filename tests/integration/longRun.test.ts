import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadoutReader } from '../../src/domain/charts/drawing/readouts';
import { exportRun } from '../../src/engine/export/exportRun';
import { reportScene, RunColumns } from '../../src/engine/report/pageData';
import { openRunLibrary, type Overview, type RunLibrary, type RunReader } from '../../src/engine/store';
import { runFormat } from '../../src/engine/store/format/steps';
import { spike, type LongRun } from '../bench/runs/longRun';
import { makeLongRun } from '../bench/runs/make';

/** The run of `bench:runs` at smaller size: checks counts instead of times. */
const run: LongRun = { id: 'evening', seconds: 5400, nodes: 4, seed: 5 };

let folder: string;
let library: RunLibrary;
let samples: number;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-big-'));
  library = openRunLibrary(folder);
  samples = makeLongRun(library, run);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reading<T>(read: (reader: RunReader) => T, id = run.id): T {
  const reader = library.open(id);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

const points = ({ columns }: Overview): number => columns.reduce((sum, { timeMs }) => sum + timeMs.length, 0);

describe('a run of millions of samples', () => {
  it('is packed into a few bytes a sample, overviews and distributions included', () => {
    expect(samples).toBeGreaterThan(850_000);
    expect(reading((reader) => reader.count())).toBe(samples);
    expect(statSync(library.path(run.id)).size / samples).toBeLessThan(9);
  });

  it('is displayed in full from a small part of it, in one response, with its one peak', () => {
    const overview = reading((reader) => {
      const { startedMs, endedMs = 0 } = reader.view();
      return reader.overview(startedMs, endedMs, 90);
    });
    expect(overview.nextMs).toBeNull();
    expect(overview.stepMs).toBe(60_000);
    expect(points(overview)).toBeLessThan(samples / 25);
    const cpu = overview.columns.find(({ node, series }) => node === 'origin' && series === 'cpuPercent');
    const pause = overview.columns.find(({ node, series }) => node === 'origin' && series === 'gcPauseMs');
    expect(Math.max(...(cpu?.value ?? []))).toBe(spike.cpuPercent);
    expect(Math.max(...(pause?.value ?? []))).toBe(spike.gcPauseMs);
  });

  it('is drawn in its report from the overview, with the same peaks and sums of testers', () => {
    const [columns, whole, view] = reading((reader) => {
      const { startedMs } = reader.view();
      return [new RunColumns(reader, startedMs, 1000), new RunColumns(reader, startedMs), reader.view()] as const;
    });
    expect([columns.coarseMs, whole.coarseMs]).toEqual([10_000, 0]);
    const kept = columns.all.reduce((sum, { t }) => sum + t.length, 0);
    expect(kept).toBeLessThan(samples / 4);
    const scene = reportScene(view, [], columns);
    expect(scene.coarseMs).toBe(10_000);
    const extremes = (of: RunColumns, isSum: boolean): [string, number | undefined][] => {
      const source = of.source();
      return scene.charts.flatMap(({ id, panels }) =>
        panels.flatMap(({ traces }) =>
          traces.flatMap((trace): [string, number | undefined][] => {
            if (trace.look === 'stack' || trace.inputs.length > 1 !== isSum) return [];
            const value = new ReadoutReader().value(source, trace, { kind: 'extreme' });
            return value === undefined ? [] : [[`${id} ${trace.key}`, value]];
          }),
        ),
      );
    };
    expect(extremes(columns, false)).toEqual(extremes(whole, false));
    // Samples of several testers are summed on a grid of seconds, so the exact peak can fall between two.
    const sums = new Map(extremes(columns, true));
    for (const [key, value] of extremes(whole, true)) expect(sums.get(key)).toBeGreaterThanOrEqual(value ?? 0);
    expect(sums.size).toBeGreaterThan(2);
  });

  it('results in a report of a few MB and a CSV with every sample', async () => {
    const html = join(folder, 'run.html');
    await exportRun(library, run.id, 'html', html);
    expect(statSync(html).size).toBeLessThan(12_000_000);
    const csv = join(folder, 'run.csv');
    await exportRun(library, run.id, 'csv', csv);
    let lines = 0;
    for (const byte of readFileSync(csv)) if (byte === 10) lines += 1;
    expect(lines).toBe(samples + 1);
  });
});

/** The error of a failing call. */
function sentenceOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('an invalid run file', () => {
  it('is refused in a sentence if written by a newer version', () => {
    const path = join(folder, 'newer.file');
    copyFileSync(library.path(run.id), path);
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(runFormat + 1, 60);
    writeFileSync(path, bytes);
    expect(sentenceOf(() => library.importFile(path))).toBe(
      `newer.file was written by a newer version of Fullhouse (run format ${runFormat + 1}, this one reads up to ` +
        `${runFormat}). Update Fullhouse to open it.`,
    );
  });

  it('opens with the remaining data if truncated', () => {
    const path = join(folder, 'half.file');
    copyFileSync(library.path(run.id), path);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    const other = mkdtempSync(join(tmpdir(), 'fullhouse-half-'));
    try {
      const summary = openRunLibrary(other).importFile(path);
      expect(summary.verdict).toBe('interrupted');
      const reader = openRunLibrary(other).open(summary.id);
      const { verdict } = reader.view();
      expect(verdict?.sentence).toMatch(/^half\.file was truncated: \d+ of \d+ minutes could be read/);
      const values = reader.values('origin', 'cpuPercent');
      expect(values.timeMs.length).toBeGreaterThan(run.seconds * 0.2);
      expect(reader.count()).toBeGreaterThan(samples * 0.2);
      reader.close();
      // The same in the runs folder; the truncated file is unchanged.
      copyFileSync(path, join(other, 'lying.fullhouse'));
      const again = openRunLibrary(other);
      expect(again.list().map(({ verdict: each }) => each)).toEqual(['interrupted', 'interrupted']);
      expect(statSync(join(other, 'lying.fullhouse.cut')).size).toBe(statSync(path).size);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });
});
