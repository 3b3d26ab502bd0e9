import { describe, expect, it } from 'vitest';
import type { RunSummary, RunView } from '../../../domain/model/run';
import {
  noFilter,
  filterRuns,
  originCounts,
  tracePoints,
  verdictFilters,
  withLive,
  type RunFilter,
} from './runFilters';

function run(id: string, verdict: RunSummary['verdict'], name: string): RunSummary {
  return {
    id,
    name,
    verdict,
    startedMs: 0,
    origin: 'lab',
    requested: 100,
    connectedPeak: 100,
    degradedPercentPeak: 0,
    viewersTrace: [],
    bytes: 1,
  };
}

const runs = [
  run('a', 'pass', 'Pull 100'),
  run('b', 'fail', 'Pull 1000, before tuning'),
  {
    ...run('c', 'pass', 'Soak'),
    origin: 'atom',
    originSlot: 5,
    tags: ['zgc'],
    testers: ['tester-2'],
    reason: 'CPU went to 98 %.',
    note: 'Heap doubled',
  },
];

describe('runs list', () => {
  it('offers existing verdicts', () => {
    expect(verdictFilters(runs).map(({ text, count }) => `${text} ${count}`)).toEqual(['All 3', 'Pass 2', 'Fail 1']);
  });

  it('matches all words in name, origin, verdict, tags, testers, reason and note', () => {
    const found = (text: string, more: Partial<RunFilter> = {}): string[] =>
      filterRuns(runs, { ...noFilter, text, ...more }).map(({ id }) => id);
    expect(found('pull TUNING')).toEqual(['b']);
    expect(found('', { verdict: 'pass' })).toEqual(['a', 'c']);
    expect(found('lab pass pull')).toEqual(['a']);
    expect(found('nothing')).toEqual([]);
    expect(found('tester-2 heap')).toEqual(['c']);
    expect(found('zgc')).toEqual(['c']);
    expect(found('98')).toEqual(['c']);
    expect(found('', { tag: 'zgc' })).toEqual(['c']);
    expect(found('', { origin: 'atom' })).toEqual(['c']);
  });

  it('counts origins, in the colours of the fleet', () => {
    expect(originCounts(runs, [{ name: 'lab', colourSlot: 3 }])).toEqual([
      { origin: 'lab', slot: 3, count: 2 },
      { origin: 'atom', slot: 5, count: 1 },
    ]);
  });

  it('shows the figures of the active run', () => {
    const live = { id: 'b', figures: { requested: 50, connectedPeak: 7, degradedPercentPeak: 2 } } as RunView;
    expect(withLive(runs, live, 9000)[1]).toMatchObject({ connectedPeak: 7, requested: 50, endedMs: 9000 });
    expect(withLive(runs, live, 9000)[0]).toBe(runs[0]);
    expect(withLive(runs, undefined, 9000)).toBe(runs);
  });

  it('draws viewers relative to the requested number', () => {
    expect(tracePoints([0, 50, 100], 100, { width: 80, height: 10 })).toBe('0.0,10.0 40.0,5.0 80.0,0.0');
    expect(tracePoints([], 0, { width: 80, height: 10 })).toBe('');
    expect(tracePoints([5], 10, { width: 80, height: 10 })).toBe('0.0,5.0');
  });
});
