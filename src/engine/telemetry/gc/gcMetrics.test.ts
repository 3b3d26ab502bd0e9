import { describe, expect, it } from 'vitest';
import { parseMetrics, type Metrics } from '../metrics/exposition';
import { gcMetricNames, gcPauseFromMetrics } from './gcMetrics';

const read = (text: string): Metrics => parseMetrics(text, (name) => gcMetricNames.has(name), 'it');
const goAt = (count: number, sum: number, maximum: number): Metrics =>
  read(
    `go_gc_duration_seconds{quantile="0.5"} 1e-05\ngo_gc_duration_seconds{quantile="1"} ${maximum}\ngo_gc_duration_seconds_sum ${sum}\ngo_gc_duration_seconds_count ${count}\n`,
  );
const nodeAt = (counts: readonly [number, number, number], sum: number, kind = 'minor'): Metrics =>
  read(
    [
      ['0.001', counts[0]],
      ['0.01', counts[1]],
      ['+Inf', counts[2]],
    ]
      .map(([le, count]) => `nodejs_gc_duration_seconds_bucket{le="${le}",kind="${kind}"} ${count}`)
      .join('\n') +
      `\nnodejs_gc_duration_seconds_sum{kind="${kind}"} ${sum}\nnodejs_gc_duration_seconds_count{kind="${kind}"} ${counts[2]}\n`,
  );

describe('GC pauses of a Go program', () => {
  it('are absent when no collection ended', () => {
    expect(gcPauseFromMetrics(goAt(59, 0.002, 0.0002), goAt(59, 0.002, 0.0002))).not.toHaveProperty('pauseMs');
    expect(gcPauseFromMetrics(goAt(59, 0.002, 0.0002), undefined)).toMatchObject({ source: 'Go metrics' });
  });

  it('are exact for a single collection, by the increase of the sum', () => {
    const pause = gcPauseFromMetrics(goAt(60, 0.0023, 0.0009), goAt(59, 0.002, 0.0009));
    expect(pause?.pauseMs).toBeCloseTo(0.3, 6);
    expect(pause?.isExact).toBe(true);
  });

  it('are exact when the maximum rose', () => {
    expect(gcPauseFromMetrics(goAt(62, 0.004, 0.0012), goAt(59, 0.002, 0.0009))).toMatchObject({
      pauseMs: 1.2,
      isExact: true,
    });
  });

  it('are bounded otherwise', () => {
    const bySum = gcPauseFromMetrics(goAt(62, 0.0025, 0.0009), goAt(59, 0.002, 0.0009));
    expect(bySum?.pauseMs).toBeCloseTo(0.5, 6);
    expect(bySum?.isExact).toBe(false);
    expect(gcPauseFromMetrics(goAt(62, 0.005, 0.0009), goAt(59, 0.002, 0.0009))?.pauseMs).toBeCloseTo(0.9, 6);
  });

  it('are absent across a restart', () => {
    expect(gcPauseFromMetrics(goAt(3, 0.0001, 0.0001), goAt(59, 0.002, 0.0009))).not.toHaveProperty('pauseMs');
  });
});

describe('GC pauses of a Node.js program', () => {
  it('are the bound of the highest increased bucket', () => {
    expect(gcPauseFromMetrics(nodeAt([10, 14, 14], 0.5), nodeAt([10, 11, 11], 0.1))).toMatchObject({
      source: 'Node.js metrics',
      pauseMs: 10,
      isExact: false,
    });
    expect(gcPauseFromMetrics(nodeAt([12, 13, 13], 0.5), nodeAt([10, 11, 11], 0.1))?.pauseMs).toBe(1);
  });

  it('are bounded by their sum, also in the last bucket', () => {
    expect(gcPauseFromMetrics(nodeAt([10, 11, 13], 0.2), nodeAt([10, 11, 11], 0.1))?.pauseMs).toBeCloseTo(100, 6);
  });

  it('are exact for a single collection', () => {
    const pause = gcPauseFromMetrics(nodeAt([10, 12, 12], 0.104), nodeAt([10, 11, 11], 0.1));
    expect(pause?.pauseMs).toBeCloseTo(4, 6);
    expect(pause?.isExact).toBe(true);
  });

  it('include a new kind', () => {
    const before = nodeAt([10, 11, 11], 0.1);
    const now = new Map(
      [...nodeAt([10, 11, 11], 0.1)].map(([name, values]) => [
        name,
        [...values, ...(nodeAt([0, 0, 1], 0.05, 'major').get(name) ?? [])],
      ]),
    );
    expect(gcPauseFromMetrics(now, before)?.pauseMs).toBeCloseTo(50, 6);
  });
});

it('returns nothing for other programs', () => {
  expect(gcPauseFromMetrics(read('up 1\n'), undefined)).toBeUndefined();
});
