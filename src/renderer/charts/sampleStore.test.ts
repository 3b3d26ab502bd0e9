import { describe, expect, it } from 'vitest';
import type { SampleBatch } from '../../domain/series/series';
import { SampleStore } from './sampleStore';

function batch(timesMs: number[], values = timesMs): SampleBatch {
  return {
    keys: [{ node: 'a', series: 'cpuPercent' }],
    key: timesMs.map(() => 0),
    timeMs: timesMs,
    value: values,
  };
}
function read(store: SampleStore): [number, number][] {
  const column = store.column('a', 'cpuPercent');
  return Array.from({ length: column?.length ?? 0 }, (_, at) => [column?.timeAt(at) ?? 0, column?.valueAt(at) ?? 0]);
}

describe('SampleStore', () => {
  it('keeps samples sorted by time, in whatever order they arrive', () => {
    const store = new SampleStore();
    store.append(batch([3000, 5000]));
    store.append(batch([1000, 4000, 2000, 6000]));
    expect(read(store).map(([time]) => time)).toEqual([1000, 2000, 3000, 4000, 5000, 6000]);
  });

  it('ignores a duplicate time, at the end and in the middle', () => {
    const store = new SampleStore();
    store.append(batch([1000, 2000, 3000], [1, 2, 3]));
    store.append(batch([3000, 2000, 2500, 2500], [30, 20, 25, 26]));
    expect(read(store)).toEqual([
      [1000, 1],
      [2000, 2],
      [2500, 25],
      [3000, 3],
    ]);
  });

  it('accepts the history of a run after its live samples', () => {
    const store = new SampleStore();
    const live = Array.from({ length: 50 }, (_, at) => 10_000_000 + at * 1000);
    const history = Array.from({ length: 9000 }, (_, at) => 1_020_000 + at * 1000);
    store.append(batch(live));
    store.append(batch(history));
    const times = read(store).map(([time]) => time);
    expect(times.length).toBe(new Set([...live, ...history]).size);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(store.firstTimeMs).toBe(1_020_000);
    expect(store.lastTimeMs).toBe(10_049_000);
  });

  it('finds the sample at or before a time and the closest one', () => {
    const store = new SampleStore();
    store.append(batch([1000, 2000, 5000]));
    const column = store.column('a', 'cpuPercent');
    expect(column?.indexAt(999)).toBe(-1);
    expect(column?.indexAt(2000)).toBe(1);
    expect(column?.indexAt(4999)).toBe(1);
    expect(column?.nearest(4200, 1000)).toBe(2);
    expect(column?.nearest(3500, 1000)).toBe(-1);
    expect(store.latest('a', 'cpuPercent')).toEqual({ timeMs: 5000, value: 5000 });
  });

  it('drops the oldest samples when full, and reports from when on it is complete', () => {
    const store = new SampleStore({ capacity: 1000 });
    store.append(batch(Array.from({ length: 1001 }, (_, at) => at * 1000)));
    const column = store.column('a', 'cpuPercent');
    expect(column?.length).toBe(876);
    expect(column?.timeAt(0)).toBe(125_000);
    expect(column?.droppedBeforeMs).toBe(125_000);
  });

  it('keeps only requested series and notifies its listeners', () => {
    const store = new SampleStore({ wants: (series) => series !== 'cpuCorePercent:0' });
    let notified = 0;
    const end = store.subscribe(() => (notified += 1));
    store.append({ keys: [{ node: 'a', series: 'cpuCorePercent:0' }], key: [0], timeMs: [1], value: [1] });
    expect(store.column('a', 'cpuCorePercent:0')).toBeUndefined();
    end();
    store.append(batch([1]));
    expect(notified).toBe(1);
    store.clear();
    expect(store.column('a', 'cpuPercent')).toBeUndefined();
    expect(store.lastTimeMs).toBeUndefined();
  });

  it('reports which series were measured, and changes of that set', () => {
    const store = new SampleStore();
    const keys = [{ node: 'a', series: 'cpuCorePercent:0' as const }];
    store.append({ keys, key: [0], timeMs: [1000], value: [0] });
    const first = store.measuredVersion;
    store.append({ keys, key: [0], timeMs: [2000], value: [0] });
    expect(store.measuredVersion).toBe(first);
    store.append({ keys, key: [0], timeMs: [3000], value: [7] });
    expect(store.measuredVersion).toBeGreaterThan(first);
    expect(store.measured()).toEqual([{ node: 'a', series: 'cpuCorePercent:0', max: 7 }]);
  });
});
