import { describe, expect, it } from 'vitest';
import { chartsFor, type TraceSpec } from '../../domain/charts/charts';
import type { NodeView } from '../../domain/model/node';
import type { SeriesId } from '../../domain/series/series';
import { timestampSummary } from './timestampSummary';
import { ReadoutReader } from '../../domain/charts/drawing/readouts';
import { SampleStore } from './sampleStore';

const node = (id: string, role: NodeView['role'], colourSlot: number): NodeView => ({
  id,
  name: id,
  role,
  colourSlot,
  state: 'live',
  reach: 'test',
  host: id,
  streams: [],
});
const nodes = [node('origin', 'origin', 1), node('a', 'tester', 2), node('b', 'tester', 3)];
const charts = chartsFor({ nodes, expect: {}, requested: 100 });

function trace(chart: string, key: string, panel = 0): TraceSpec {
  const found = charts.find(({ id }) => id === chart)?.panels[panel]?.traces.find((trace) => trace.key === key);
  if (!found) throw new Error(`no trace ${key} in ${chart}`);
  return found;
}
function fill(store: SampleStore, of: string, series: SeriesId, samples: readonly (readonly [number, number])[]): void {
  store.append({
    keys: [{ node: of, series }],
    key: samples.map(() => 0),
    timeMs: samples.map(([second]) => second * 1000),
    value: samples.map(([, value]) => value),
  });
}

describe('ReadoutReader', () => {
  const reader = new ReadoutReader();

  it('has no current figure once its sample is stale', () => {
    const store = new SampleStore();
    fill(store, 'origin', 'cpuPercent', [[10, 42]]);
    expect(reader.value(store, trace('cpu', 'origin'), { kind: 'now', timeMs: 12_000 })).toBe(42);
    expect(reader.value(store, trace('cpu', 'origin'), { kind: 'now', timeMs: 14_000 })).toBeUndefined();
  });

  it('reads the sample closest to the crosshair and nothing in a gap', () => {
    const store = new SampleStore();
    fill(store, 'a', 'cpuPercent', [
      [10, 1],
      [11, 2],
      [20, 3],
    ]);
    expect(reader.value(store, trace('cpu', 'a'), { kind: 'cursor', timeMs: 10_600 })).toBe(2);
    expect(reader.value(store, trace('cpu', 'a'), { kind: 'cursor', timeMs: 15_000 })).toBeUndefined();
  });

  it('finds the extreme of a run: the maximum, or the minimum of a frame rate', () => {
    const store = new SampleStore();
    fill(store, 'a', 'cpuPercent', [
      [1, 5],
      [2, 50],
      [3, 7],
    ]);
    fill(store, 'a', 'frameRate', [
      [1, 25],
      [2, 19],
      [3, 24],
    ]);
    expect(reader.value(store, trace('cpu', 'a'), { kind: 'extreme' })).toBe(50);
    expect(reader.value(store, trace('frameRate', 'a'), { kind: 'extreme' })).toBe(19);
    fill(store, 'a', 'cpuPercent', [[4, 60]]);
    expect(reader.value(store, trace('cpu', 'a'), { kind: 'extreme' })).toBe(60);
  });

  it('distinguishes two panels of one chart', () => {
    const store = new SampleStore();
    fill(store, 'a', 'jitterP95Ms', [[1, 12]]);
    fill(store, 'a', 'lossPercent', [[1, 0.5]]);
    expect(reader.value(store, trace('jitter', 'a'), { kind: 'extreme' })).toBe(12);
    expect(reader.value(store, trace('jitter', 'a', 1), { kind: 'extreme' })).toBe(0.5);
  });

  it('does not sum viewers while one tester has no data', () => {
    const store = new SampleStore();
    fill(store, 'a', 'viewersDegraded', [
      [1, 4],
      [2, 4],
      [8, 4],
    ]);
    fill(store, 'b', 'viewersDegraded', [
      [1, 3],
      [2, 3],
    ]);
    const degraded = trace('viewers', 'degraded', 1);
    expect(reader.value(store, degraded, { kind: 'cursor', timeMs: 2000 })).toBe(7);
    expect(reader.value(store, degraded, { kind: 'cursor', timeMs: 8000 })).toBeUndefined();
  });

  it('converts bytes to GiB', () => {
    const store = new SampleStore();
    fill(store, 'origin', 'memoryUsedBytes', [[1, 3 * 2 ** 30]]);
    expect(reader.value(store, trace('memory', 'origin'), { kind: 'cursor', timeMs: 1000 })).toBe(3);
  });
});

describe('timestampSummary', () => {
  it('shows viewers, phase and rate, if measured', () => {
    const store = new SampleStore();
    const phases = [{ name: 'ramp', startMs: 0 } as const];
    expect(timestampSummary(store, nodes, phases, 1000)).toEqual(['ramp']);
    fill(store, 'a', 'viewersConnected', [[1, 1600]]);
    fill(store, 'a', 'arrivalRateAchieved', [[1, 4.9]]);
    expect(timestampSummary(store, nodes, phases, 1000)).toEqual(['1,600 viewers', 'ramp', '4.9 /s']);
  });
});
