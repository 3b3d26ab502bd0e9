import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sample } from '../../domain/series/series';
import { Database, numberAt } from './database';
import { openRunLibrary } from './index';
import { Reducer } from './reduce';
import { testSample, testStartMs, testView } from '../../../tests/support/savedRun';
import type { Overview, RunLibrary, RunReader } from './types';

let folder: string;
let library: RunLibrary;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-overview-'));
  library = openRunLibrary(folder, { repeat: () => () => undefined });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Pseudo-random, the same each time. */
const noise = (at: number): number => ((Math.sin(at * 12.9898) * 43758.5453) % 1) * 50 + 50;

/** Two hours and ten minutes at 1 Hz; the audience has a gap, and pauses occur at times. */
const seconds = 7800;
const isSilent = (second: number): boolean => second >= 4000 && second < 4700;
function samplesOf(second: number): Sample[] {
  const samples = [
    testSample(second + 0.25, 'origin', 'cpuPercent', noise(second)),
    testSample(second + 0.25, 'origin', 'processCpuPercent', 40),
  ];
  if (second % 97 === 3) samples.push(testSample(second + 0.3, 'origin', 'gcPauseMs', 4 + (second % 11)));
  if (isSilent(second)) return samples;
  return [
    ...samples,
    testSample(second + 0.5, 'audience', 'viewersDegraded', second % 500 === 7 ? 3 : 0),
    testSample(second + 0.7, 'second', 'viewersDegraded', second % 500 === 7 ? 2 : second % 500 === 9 ? 4 : 0),
  ];
}

function written(until = seconds, finish = true): RunReader {
  const writer = library.create(testView('night'), { version: '0.1.0' });
  for (let second = 0; second < until; second += 1) {
    writer.append(samplesOf(second));
    if (second % 60 === 59) writer.flush();
  }
  if (finish) writer.finish(testView('night', { state: 'ended', endedMs: testStartMs + until * 1000 }));
  return library.open('night');
}

const column = (overview: Overview, node: string, series: string) => {
  const found = overview.columns.find((column) => column.node === node && column.series === series);
  if (!found) throw new Error(`${node} has no ${series}.`);
  return found;
};

/** All pages of one request. */
function whole(reader: RunReader, columns: number, fromMs = testStartMs, toMs = testStartMs + seconds * 1000) {
  const answers: Overview[] = [];
  for (let from: number | null = fromMs; from !== null;) {
    const answer = reader.overview(from, toMs, Math.max(1, Math.round((columns * (toMs - from)) / (toMs - fromMs))));
    answers.push(answer);
    from = answer.nextMs;
  }
  return answers;
}

const rowsOf = (name = 'night.fullhouse'): [number, number][] => {
  const database = new Database(join(folder, name));
  try {
    return database
      .rows('SELECT step_ms, count(*) FROM overview GROUP BY step_ms ORDER BY step_ms')
      .map((row) => [numberAt(row, 0), numberAt(row, 1)]);
  } finally {
    database.close();
  }
};

describe('overviews', () => {
  it.each([3, 10, 30, 60, 300, 600])('lose no maximum and no minimum in steps of %i s', (step) => {
    const reader = written();
    const [answer] = whole(reader, seconds / step);
    expect(answer?.stepMs).toBe(step * 1000);
    const { timeMs, value } = column(answer as Overview, 'origin', 'cpuPercent');
    const raw = reader.values('origin', 'cpuPercent');
    const extremes = (times: readonly number[], values: readonly number[]): Map<number, [number, number]> => {
      const found = new Map<number, [number, number]>();
      times.forEach((time, i) => {
        const at = Math.floor(time / (step * 1000));
        const [low, high] = found.get(at) ?? [Infinity, -Infinity];
        found.set(at, [Math.min(low, values[i] ?? 0), Math.max(high, values[i] ?? 0)]);
      });
      return found;
    };
    expect(extremes(timeMs, value)).toEqual(extremes(raw.timeMs, raw.value));
    // Values keep their own times.
    const truth = new Map(raw.timeMs.map((time, i) => [time, raw.value[i]]));
    expect(timeMs.filter((time, i) => truth.get(time) !== value[i])).toEqual([]);
    reader.close();
  });

  it('mark gaps of a series, and only gaps', () => {
    const reader = written();
    for (const columns of [seconds / 4, seconds / 10, seconds / 60]) {
      const [answer] = whole(reader, columns);
      const { timeMs, breaks } = column(answer as Overview, 'audience', 'viewersDegraded');
      expect(breaks).toHaveLength(1);
      expect(timeMs[breaks[0] ?? 0]).toBeGreaterThanOrEqual(testStartMs + 4_700_000);
      expect(timeMs[(breaks[0] ?? 0) - 1]).toBeLessThan(testStartMs + 4_000_000);
      expect(column(answer as Overview, 'origin', 'cpuPercent').breaks).toEqual([]);
    }
    reader.close();
  });

  it('keep sums over testers, which can’t be derived from the maximum of each', () => {
    const reader = written();
    const [answer] = whole(reader, seconds / 60);
    const sum = column(answer as Overview, '*', 'viewersDegraded');
    expect(Math.max(...sum.value)).toBe(5);
    // Nothing while both have a gap.
    const silent = sum.timeMs.filter((time) => time > testStartMs + 4_010_000 && time < testStartMs + 4_690_000);
    expect(silent).toEqual([]);
    reader.close();
  });

  it('have a measured 0 where a node was sampled and did not pause', () => {
    const reader = written();
    const [answer] = whole(reader, seconds / 60);
    const { value, breaks } = column(answer as Overview, 'origin', 'gcPauseMs');
    expect(Math.min(...value)).toBe(0);
    expect(Math.max(...value)).toBe(14);
    expect(breaks).toEqual([]);
    reader.close();
  });

  it('contain every sample where the width allows', () => {
    const reader = written(600);
    const answer = reader.overview(testStartMs, testStartMs + 600_000, 600);
    expect(answer.stepMs).toBe(0);
    const { timeMs, value } = column(answer, 'origin', 'cpuPercent');
    expect({ timeMs, value }).toEqual(reader.values('origin', 'cpuPercent'));
    expect(answer.columns.some(({ node }) => node === '*')).toBe(false);
    reader.close();
  });

  it('are the same for an active run, an ended one, and a file without overviews', () => {
    const live = written(seconds, false);
    const [running] = whole(live, seconds / 60);
    live.close();
    library.open('night').close();
    const database = new Database(join(folder, 'night.fullhouse'));
    database.close();
    rmSync(folder, { recursive: true, force: true });
    library = openRunLibrary(folder, { repeat: () => () => undefined });
    const ended = written();
    const [kept] = whole(ended, seconds / 60);
    ended.close();
    const before = rowsOf();
    const other = new Database(join(folder, 'night.fullhouse'));
    other.exec('DROP TABLE overview');
    other.close();
    const again = library.open('night');
    const [made] = whole(again, seconds / 60);
    again.close();
    expect(kept).toEqual(running);
    expect(made).toEqual(kept);
    // Created once: the lowest ones are in the file now.
    expect(rowsOf()[0]).toEqual(before[0]);
  });

  it('are stored as minutes are packed, and updated by late samples', () => {
    const writer = library.create(testView('night'), { version: '0.1.0' });
    for (let second = 0; second < 2400; second += 1) {
      writer.append(samplesOf(second));
      if (second % 60 === 59) writer.flush();
    }
    expect(rowsOf()[0]?.[1]).toBeGreaterThan(1);
    writer.append([testSample(300.9, 'origin', 'cpuPercent', 1234)]);
    for (let second = 2400; second < 2600; second += 1) {
      writer.append(samplesOf(second));
      writer.flush();
    }
    writer.finish(testView('night', { state: 'ended', endedMs: testStartMs + 2_600_000 }));
    const reader = library.open('night');
    const answer = reader.overview(testStartMs, testStartMs + 2_600_000, 43);
    expect(Math.max(...column(answer, 'origin', 'cpuPercent').value)).toBe(1234);
    reader.close();
  });

  it('return only the requested series', () => {
    const reader = written(1200);
    const answer = reader.overview(testStartMs, testStartMs + 1_200_000, 60, new Set(['gcPauseMs', 'viewersDegraded']));
    expect(answer.columns.map(({ node, series }) => `${node} ${series}`).sort()).toEqual([
      '* viewersDegraded',
      'audience viewersDegraded',
      'origin gcPauseMs',
      'second viewersDegraded',
    ]);
    expect(Math.min(...column(answer, 'origin', 'gcPauseMs').value)).toBe(0);
    reader.close();
  });
});

describe('Reducer', () => {
  it('marks a gap before the next point, wherever it is', () => {
    const reducer = new Reducer(1, 10_000, 2500);
    reducer.addAll({ timeMs: [1000, 2000, 8000, 9000, 10_500, 11_000], value: [5, 1, 7, 3, 2, 2] });
    const { timeMs, value, breaks, firstMs, lastMs } = reducer.finish();
    expect(timeMs).toEqual([2000, 8000, 10_500]);
    expect(value).toEqual([1, 7, 2]);
    expect(breaks).toEqual([1]);
    expect([firstMs, lastMs]).toEqual([1000, 11_000]);
  });
});
