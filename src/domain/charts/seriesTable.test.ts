import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import { figuresOf, filteredRows, seriesRows, type SeriesSummary } from './seriesTable';

const node = (id: string): NodeView => ({
  id,
  name: `${id} name`,
  role: 'origin',
  colourSlot: 1,
  state: 'live',
  reach: 'SSH',
  host: id,
  streams: [],
});

const summary = (of: string, series: SeriesId, values: readonly number[]): SeriesSummary => {
  const figures = figuresOf(Float64Array.from(values));
  if (!figures) throw new Error('No values.');
  return { node: of, series, firstMs: 0, lastMs: values.length * 1000, maxMs: 0, ...figures };
};

describe('the figures of a series', () => {
  it('are measured values, and the last is the newest', () => {
    const values = Float64Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(figuresOf(values)).toEqual({
      count: 100,
      last: 1,
      min: 1,
      max: 100,
      mean: 50.5,
      p50: 50,
      p95: 95,
      p99: 99,
    });
    // The input stays in order of time.
    expect(values[0]).toBe(100);
    expect(figuresOf(new Float64Array())).toBeUndefined();
  });
});

describe('the table of all series', () => {
  const rows = seriesRows(
    [node('b'), node('a')],
    [
      summary('a', 'load1', [3]),
      summary('b', 'udpReceiveBufferErrorsPerSecond', [0, 13_000]),
      summary('b', 'cpuCorePercent:0', [7]),
      summary('b', 'cpuPercent', [5]),
    ],
  );
  const ids = (of: typeof rows): readonly string[] => of.map((row) => `${row.node} ${row.series}`);

  it('has nodes in the order of the run and series as declared, cores after all cores', () => {
    expect(ids(rows)).toEqual(['b cpuPercent', 'b cpuCorePercent:0', 'b udpReceiveBufferErrorsPerSecond', 'a load1']);
    expect(rows[0]).toMatchObject({ nodeName: 'b name', title: 'CPU' });
  });

  it('is filtered by node, title, id, unit and source', () => {
    expect(ids(filteredRows(rows, 'udp buffer'))).toEqual(['b udpReceiveBufferErrorsPerSecond']);
    expect(ids(filteredRows(rows, 'a name load'))).toEqual(['a load1']);
    expect(filteredRows(rows, 'host')).toHaveLength(4);
  });
});
