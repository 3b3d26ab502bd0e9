import { describe, expect, it } from 'vitest';
import { even, gib, ofHostOnly, resource, startMs, story } from '../../../tests/support/estimateStory';
import type { TesterLimit } from '../model/run';
import type { SeriesId } from '../series/series';
import type { Estimate } from './estimate';

describe('the estimate of a run', () => {
  it('has the cost per viewer of each resource, without the cost of connecting', () => {
    const estimate = story({});
    expect(estimate.sizes.map(({ viewers }) => viewers)).toEqual([8, 16, 24, 32, 40]);
    expect(resource(estimate, 'hostCpu').perViewer.value).toBeCloseTo(0.2, 2);
    expect(resource(estimate, 'hostCpu').idle.value).toBeCloseTo(8.2, 0);
    expect(resource(estimate, 'bandwidth').perViewer.value).toBeCloseTo(2);
    // The memory of the server's own process: what the host allocates besides may be others'.
    expect(resource(estimate, 'memory').perViewer.value).toBeCloseTo(2_900_000, -3);
  });

  it('names the bottleneck, with an interval and the extrapolation factor', () => {
    const { ceiling, sentence } = story({});
    expect(ceiling).toMatchObject({ resource: 'hostCpu', mark: 'extrapolated' });
    expect(ceiling?.value).toBeGreaterThan(350);
    expect(ceiling?.value).toBeLessThan(367);
    expect(ceiling?.low).toBeLessThan(359);
    expect(ceiling?.high).toBeGreaterThan(359);
    expect(sentence).toMatch(
      /^≈ 360 viewers \(\d+ to \d+\); bottleneck: host CPU \(extrapolated from 40 viewers, × 9\.\d\)\.$/,
    );
  });

  it('names the network if iperf3 measured less than the CPU supports', () => {
    const capacity = {
      mbps: 300,
      protocol: 'tcp',
      between: 'tester-1',
      direction: 'out',
      measuredMs: 0,
    } as const;
    const { ceiling } = story({ node: { capacity } });
    expect(ceiling?.resource).toBe('bandwidth');
    expect(ceiling?.value).toBeCloseTo(150, 0);
  });

  it('marks a ceiling within the held sizes as measured', () => {
    const { ceiling, sentence } = story({ origin: (viewers) => ({ cpuPercent: 10 + 2.4 * viewers }) });
    expect(ceiling).toMatchObject({ mark: 'measured' });
    expect(sentence).toContain('(measured)');
    expect(sentence).not.toContain('≈');
  });

  it('rejects two sizes, or nearly equal sizes', () => {
    expect(story({ sizes: [20, 40] }).sentence).toContain('needs 3 different audience sizes');
    expect(story({ sizes: [20, 40] }).sentence).toMatch(/this run held only 20 viewers for \d+ s, 40 for \d+ s\.$/);
    const one = story({ sizes: [40], holdSeconds: 85 });
    expect(one.sentence).toMatch(/this run held only 40 viewers for 8\d s\.$/);
    expect(one.sizes).toMatchObject([{ viewers: 40 }]);
    expect(story({ sizes: [20, 40] }).resources).toEqual([]);
    expect(story({ sizes: [40, 42, 44] }).resources).toEqual([]);
    expect(story({ sizes: [40, 42, 44] }).sentence).toMatch(
      /sizes, the largest at least 1\.5 times the smallest, .* held 40 viewers for \d+ s, 42 for/,
    );
    expect(story({ sizes: [8, 16, 24], holdSeconds: 5 }).resources).toEqual([]);
  });

  it('says that what was held was excluded, not that none was', () => {
    const limit: TesterLimit = {
      ...{ node: 'tester', kind: 'cpu', fromMs: startMs, toMs: startMs + 80_000 },
      ...{ viewers: 40, sentence: '', expected: '' },
    };
    expect(story({ sizes: [40], holdSeconds: 76, over: { testerLimits: [limit] } }).sentence).toMatch(
      /this run held none outside of (79|80|81) s with testers at their own limit\.$/,
    );
  });

  it('excludes intervals in which testers were at their own limit', () => {
    const invalidated = (viewers: number, second: number): Partial<Record<SeriesId, number>> => ({
      ...even(viewers, second),
      cpuPercent: second >= 80 ? 95 : 8 + 0.2 * viewers,
    });
    const limit: TesterLimit = {
      node: 'tester',
      kind: 'cpu',
      fromMs: startMs + 80_000,
      viewers: 40,
      sentence: '',
      expected: '',
    };
    const estimate = story({ origin: invalidated, over: { testerLimits: [limit] } });
    expect(estimate.largest).toBe(32);
    expect(resource(estimate, 'hostCpu').perViewer.value).toBeCloseTo(0.2);
    expect(estimate.notes[0]).toContain('excluded');
  });

  it('widens the interval, and reports it, if costs grow faster than linearly', () => {
    const straight = story({});
    const bent = story({
      origin: (viewers, second) => ({
        ...even(viewers, second),
        cpuPercent: 8 + 0.05 * viewers + 0.006 * viewers ** 2,
      }),
    });
    expect(bent.notes.join()).toContain('Host CPU grew faster than linearly');
    const width = ({ ceiling }: Estimate): number => (ceiling ? (ceiling.value - ceiling.low) / ceiling.value : 0);
    expect(width(bent)).toBeGreaterThan(3 * width(straight));
  });

  it('counts other viewers as part of the idle figures', () => {
    const busy = story({
      origin: (viewers, second) => ({ ...even(viewers, second), originViewers: viewers + 300 }),
    });
    expect(busy.notes.join()).toContain('about 300 other viewers');
  });

  it("estimates the process if the audience runs on the origin's machine, and excludes loopback", () => {
    const estimate = story({
      host: 'a',
      origin: (viewers, second) => ({ ...even(viewers, second), originOutMbps: 1.9 * viewers }),
    });
    expect(estimate.machine.sharedWith).toEqual(['tester-1']);
    expect(resource(estimate, 'bandwidth').series).toBe('originOutMbps');
    expect(estimate.sentence).toContain('with tester-1 on the same machine');
    expect(estimate.sentence).toContain('Its process alone would reach its limit at');
  });

  it('ignores resources that do not grow, and states from when they might matter', () => {
    const estimate = story({
      origin: (viewers, second) => ({
        ...ofHostOnly(viewers, second),
        memoryUsedBytes: 4 * gib + ((second * 17) % 23) * 100_000_000,
      }),
    });
    expect(resource(estimate, 'memory').isRising).toBe(false);
    expect(estimate.ceiling?.resource).toBe('hostCpu');
    expect(estimate.notes.join()).toContain('Host memory did not grow significantly');
  });

  it('includes the media ports of a WCS, which bound its viewers', () => {
    const { ceiling } = story({
      origin: (viewers, second) => ({
        ...even(viewers, second),
        'server:ports_media_busy': 2 * viewers,
        'server:ports_media_free': 500 - 2 * viewers,
      }),
    });
    expect(ceiling).toMatchObject({ resource: 'mediaPorts' });
    expect(ceiling?.value).toBeCloseTo(250);
  });

  it('uses a slow ramp if no sizes were held, and states that connecting is included', () => {
    const estimate = story({ sizes: Array.from({ length: 60 }, (_, i) => i + 1), holdSeconds: 0 });
    expect(resource(estimate, 'bandwidth').perViewer.value).toBeCloseTo(2, 1);
    expect(estimate.notes.join()).toContain('cost of connecting');
  });

  it('names no ceiling beyond a hundred times the largest size', () => {
    const estimate = story({
      origin: (viewers, second) => ({ ...ofHostOnly(viewers, second), memoryUsedBytes: gib + viewers * 100_000 }),
    });
    const memory = resource(estimate, 'memory');
    expect(memory.isRising).toBe(true);
    expect(memory.ceiling).toBeUndefined();
    expect(memory.notBefore).toBe(4000);
    expect(estimate.notes.join()).not.toContain('Memory');
  });

  it('states why no estimate is possible', () => {
    expect(story({ over: { nodes: [] } }).sentence).toContain('no origin edge-1');
    expect(story({ origin: () => ({}) }).sentence).toContain('No resource of edge-1 was measured');
  });
});
