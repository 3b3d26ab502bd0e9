import { describe, expect, it } from 'vitest';
import type { OverviewBatch } from '../../contract/schemas';
import type { TraceSpec } from '../../domain/charts/charts';
import type { SeriesId } from '../../domain/series/series';
import { decimate, Points } from '../../domain/charts/drawing/decimate';
import { detailOf } from './detailCache';
import { Combiner } from '../../domain/charts/drawing/line';
import { ReadoutReader } from '../../domain/charts/drawing/readouts';
import { SampleStore } from './sampleStore';

type Series = readonly [
  node: string,
  series: SeriesId,
  points: readonly (readonly [number, number])[],
  breaks?: readonly number[],
];

function batch(stepMs: number, ...all: readonly Series[]): OverviewBatch {
  const points = all.flatMap(([, , each]) => each);
  let at = 0;
  const starts = all.map(([, , each]) => (at += each.length) - each.length);
  return {
    stepMs,
    keys: all.map(([node, series]) => ({ node, series })),
    ends: all.map(([, , each], i) => (starts[i] ?? 0) + each.length),
    timeMs: Float64Array.from(points, ([timeMs]) => timeMs),
    value: Float32Array.from(points, ([, value]) => value),
    breaks: all.flatMap(([, , , breaks = []], i) => breaks.map((place) => (starts[i] ?? 0) + place)),
    firstMs: all.map(([, , each]) => each[0]?.[0] ?? 0),
    lastMs: all.map(([, , each]) => each.at(-1)?.[0] ?? 0),
    nextMs: null,
  };
}

const trace = (series: SeriesId, nodes: readonly string[], of: Partial<TraceSpec> = {}): TraceSpec => ({
  key: series,
  label: series,
  owner: { kind: 'neutral' },
  look: 'line',
  inputs: nodes.map((node) => ({ node, series })),
  combine: 'sum',
  factor: 1,
  onlyWhenMeasured: false,
  showFigure: true,
  extreme: 'highest',
  ...of,
});

function drawn(store: SampleStore, spec: TraceSpec, fromMs: number, toMs: number): number[] {
  const points = new Points();
  const line = new Combiner().line(store, spec, fromMs, toMs);
  if (line) decimate(line, 0, points);
  return [...points.values.subarray(0, points.length)];
}

const rangeOf = (fromMs: number, toMs: number) => ({ fromMs, toMs, columnMs: 1000, readToMs: toMs });

describe('overviews in the store', () => {
  it('are drawn with gaps only where the series has gaps', () => {
    const store = new SampleStore();
    const points = [
      [1000, 1],
      [50_000, 9],
      [70_000, 2],
      [110_000, 8],
    ] as const;
    store.setOverview([batch(60_000, ['a', 'load1', points, [2]])], Infinity);
    expect(drawn(store, trace('load1', ['a']), 0, 200_000)).toEqual([1, 9, NaN, 2, 8]);
  });

  it('use the sums of testers computed from the samples', () => {
    const store = new SampleStore();
    store.setOverview(
      [
        batch(
          60_000,
          [
            'a',
            'viewersDegraded',
            [
              [1000, 0],
              [5000, 3],
            ],
          ],
          [
            'b',
            'viewersDegraded',
            [
              [2000, 0],
              [40_000, 3],
            ],
          ],
          [
            '*',
            'viewersDegraded',
            [
              [1000, 0],
              [40_000, 3],
            ],
          ],
        ),
      ],
      Infinity,
    );
    const sum = trace('viewersDegraded', ['a', 'b']);
    expect(drawn(store, sum, 0, 60_000)).toEqual([0, 3]);
    expect(new ReadoutReader().value(store, sum, { kind: 'extreme' })).toBe(3);
  });

  it('continue with samples in an active run', () => {
    const store = new SampleStore();
    const key = { node: 'a', series: 'load1' as const };
    const timeMs = [118_000, 119_000, 120_000, 121_000, 122_000];
    store.append({ keys: [key], key: timeMs.map(() => 0), timeMs, value: [1, 1, 5, 6, 7] });
    store.setOverview(
      [
        batch(60_000, [
          'a',
          'load1',
          [
            [1000, 1],
            [90_000, 2],
          ],
        ]),
      ],
      120_000,
    );
    expect(drawn(store, trace('load1', ['a']), 0, 200_000)).toEqual([1, 2, 5, 6, 7]);
    expect(store.coarseMs(['load1'], 0, 1000)).toBe(60_000);
    expect(store.coarseMs(['load1'], 120_000, 122_000)).toBe(0);
  });

  it('are replaced by a detail that covers the view, with exact values at the crosshair', () => {
    const store = new SampleStore();
    store.setOverview(
      [
        batch(60_000, [
          'a',
          'load1',
          [
            [1000, 1],
            [50_000, 9],
          ],
        ]),
      ],
      Infinity,
    );
    const every = Array.from({ length: 20 }, (_, i) => [20_000 + i * 1000, i] as const);
    store.addDetail(detailOf([batch(0, ['a', 'load1', every])], rangeOf(20_000, 40_000), ['load1']));
    const spec = trace('load1', ['a']);
    expect(drawn(store, spec, 22_000, 25_000)).toEqual([2, 3, 4, 5, 6]);
    expect(drawn(store, spec, 0, 60_000)).toEqual([1, 9]);
    const reader = new ReadoutReader();
    expect(reader.value(store, spec, { kind: 'cursor', timeMs: 30_000 })).toBe(10);
    // Elsewhere the closest known value.
    expect(reader.value(store, spec, { kind: 'cursor', timeMs: 45_000 })).toBe(9);
  });

  it('drop the least recently used details', () => {
    const store = new SampleStore();
    const count = 200_000;
    const value = new Float32Array(count);
    for (let i = 0; i < 30; i += 1) {
      const timeMs = Float64Array.from(value, (_, at) => i * 1e9 + at * 1000);
      const big = { ...batch(0, ['a', 'load1', []]), timeMs, value, ends: [count] };
      store.addDetail(detailOf([big], rangeOf(i * 1e9, (i + 1) * 1e9), ['load1']));
    }
    expect(store.bytes).toBeLessThan(41_000_000);
    expect(store.columnFor('a', 'load1', 29.1e9, 29.2e9)?.length).toBe(200_000);
  });

  it('grow with what is measured, also while they were read', () => {
    const store = new SampleStore();
    const key = { node: 'a', series: 'load1' } as const;
    const live = (timeMs: number): void => store.append({ keys: [key], key: [0], timeMs: [timeMs], value: [1] });
    live(30_000);
    live(31_000);
    store.addDetail(
      detailOf(
        [
          batch(10_000, [
            'a',
            'load1',
            [
              [10_000, 5],
              [20_000, 6],
            ],
          ]),
        ],
        { fromMs: 0, toMs: Infinity, columnMs: 10_000, readToMs: 30_001 },
        ['load1'],
      ),
    );
    live(32_000);
    const column = store.columnFor('a', 'load1', 0, 32_000);
    expect([...(column?.timesMs.subarray(0, column.length) ?? [])]).toEqual([10_000, 20_000, 31_000, 32_000]);
    expect(column?.sparseBeforeMs).toBe(30_001);
  });

  it('are read again once they have grown, and not for what is not finer at its source', () => {
    const store = new SampleStore();
    const range = { fromMs: 0, toMs: Infinity, columnMs: 1000, readToMs: 30_000 };
    store.addDetail(detailOf([batch(60_000, ['a', 'load1', [[10_000, 5]]])], range, ['load1']));
    const has = (toMs: number, columnMs: number): boolean =>
      store.hasDetail(['load1'], { fromMs: 0, toMs, columnMs }, 10_000);
    expect(has(40_000, 1000)).toBe(true);
    expect(has(40_001, 1000)).toBe(false);
    expect(has(40_000, 500)).toBe(false);
  });
});
