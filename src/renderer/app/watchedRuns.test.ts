import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../domain/model/run';
import { watchedRuns } from './watchedRuns';

const run = (id: string, startedMs: number, endedMs?: number, verdict: RunSummary['verdict'] = 'pass'): RunSummary =>
  ({ id, name: `Run ${id}`, startedMs, endedMs, verdict }) as RunSummary;

describe('runs of a watched fleet', () => {
  it('are those that ended while it was watched, in order', () => {
    const saved = [
      run('late', 500, 600),
      run('early', 100, 300),
      run('before', 10, 90),
      run('bad', 200, 400, 'damaged'),
    ];
    expect(watchedRuns(saved, 200)).toEqual([
      { id: 'early', name: 'Run early', fromMs: 100, toMs: 300 },
      { id: 'late', name: 'Run late', fromMs: 500, toMs: 600 },
    ]);
  });

  it('do not include one that has no end yet', () => {
    expect(watchedRuns([run('now', 500)], 0)).toEqual([]);
  });
});
