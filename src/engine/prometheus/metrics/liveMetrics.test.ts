import { expect, it } from 'vitest';
import { Histogram } from '../../../domain/distribution/histogram';
import type { RunState, RunView } from '../../../domain/model/run';
import { samplePlan } from '../../../../tests/support/samplePlan';
import { liveMetrics } from './liveMetrics';
import type { HistogramFamily } from './metricFamily';
import { RunHistograms } from './runHistograms';

const planned = samplePlan({ by: ['a', 'b'], viewers: 10 });
const runIn = (state: RunState): RunView =>
  ({ id: 'r1', name: 'R', state, plan: planned, nodes: [], startedMs: 0 }) as unknown as RunView;

function histogramsOf(
  histograms: RunHistograms,
  state: RunState,
  which?: { ended: boolean },
): ReadonlyMap<string, HistogramFamily> {
  const families = liveMetrics(
    {
      ...{ version: '1', nodes: [], jobs: [], run: runIn(state), values: new Map() },
      histograms: (run) => histograms.of(run),
    },
    which,
  );
  return new Map(families.flatMap((family) => (family.type === 'histogram' ? [[family.name, family]] : [])));
}

const countsOf = (family: HistogramFamily | undefined): unknown[] =>
  (family?.values ?? []).map(({ labels, histogram }) => [labels['node'], labels['audience'], histogram.count]);

it('adds up what each tester reports of each audience since the start of the run', () => {
  const histograms = new RunHistograms();
  const report = (run: string, node: string, audience: string, values: readonly number[]): void =>
    histograms.take({ run, node, audience, distributions: { jitterMs: Histogram.of(values) } });
  report('r0', 'a', 'WHEP cam', [9]);
  report('r1', 'a', 'WHEP cam', [1, 2]);
  report('r1', 'b', 'WHEP cam', [3]);
  report('r1', 'a', 'WHEP cam', [4]);
  report('r1', 'a', 'other', [5]);
  const jitter = histogramsOf(histograms, 'running').get('fullhouse_viewer_jitter_seconds');
  expect(countsOf(jitter)).toEqual([
    ['a', 'WHEP cam', 3],
    ['b', 'WHEP cam', 1],
    ['a', 'other', 1],
  ]);
  expect(jitter?.values[0]?.labels).toEqual({ node: 'a', role: 'tester', audience: 'WHEP cam', run: 'r1' });
  expect(jitter?.values[0]?.histogram.sum).toBeCloseTo(7, 1);
});

it('begins at 0 with what viewers report once, before the first of them', () => {
  const histograms = new RunHistograms();
  const before = histogramsOf(histograms, 'preparing');
  expect(countsOf(before.get('fullhouse_viewer_connect_seconds'))).toEqual([
    ['a', 'WHEP cam', 0],
    ['b', 'WHEP cam', 0],
  ]);
  expect(countsOf(before.get('fullhouse_viewer_jitter_seconds'))).toEqual([]);
  histograms.take({
    ...{ run: 'r1', node: 'b', audience: 'WHEP cam' },
    distributions: { connectMs: Histogram.of([20]) },
  });
  expect(countsOf(histogramsOf(histograms, 'running').get('fullhouse_viewer_connect_seconds'))).toEqual([
    ['b', 'WHEP cam', 1],
    ['a', 'WHEP cam', 0],
  ]);
});

it('has an ended run only if requested', () => {
  expect(histogramsOf(new RunHistograms(), 'ended').size).toBe(0);
  expect(histogramsOf(new RunHistograms(), 'ended', { ended: true }).size).toBeGreaterThan(0);
});
