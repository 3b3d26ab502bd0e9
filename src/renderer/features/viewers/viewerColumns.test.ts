import { describe, expect, it } from 'vitest';
import type { ViewerRow } from '../../../contract/viewerSchemas';
import { columnsOf, passesFilter, sortViewers, stateText, viewerColumns } from './viewerColumns';

function row(viewer: number, of: Partial<ViewerRow> = {}): ViewerRow {
  return {
    tester: 'local',
    job: 'pull-1',
    viewer,
    state: 'connected',
    packets: 100,
    bytes: 1,
    lost: 0,
    lossPercent: 0,
    frames: 10,
    stalls: 0,
    freezeCount: 0,
    stalledMs: 0,
    freezeDurationMs: 0,
    degraded: false,
    ...of,
  };
}

describe('viewers table', () => {
  const rows = [row(1, { connectMs: 40 }), row(2), row(3, { connectMs: 10 })];

  it('sorts both ways and keeps rows without a value at the end', () => {
    const order = (isDescending: boolean) =>
      sortViewers(rows, { column: 'connect', isDescending }).map(({ viewer }) => viewer);
    expect(order(false)).toEqual([3, 1, 2]);
    expect(order(true)).toEqual([1, 3, 2]);
  });

  it('shows the job column if there are several jobs', () => {
    expect(columnsOf(rows)).not.toContain('job');
    const two = [...rows, row(1, { job: 'pull-10' }), row(2, { job: 'pull-2' })];
    expect(columnsOf(two)).toContain('job');
    const sorted = sortViewers(two, { column: 'job', isDescending: false });
    expect(sorted.map(({ job }) => job)).toEqual(['pull-1', 'pull-1', 'pull-1', 'pull-2', 'pull-10']);
  });

  it('shows no loss if no packet was received', () => {
    expect(viewerColumns.loss.show(row(1, { packets: 0 })).text).toBe('–');
    expect(viewerColumns.loss.show(row(1)).text).toBe('0.00');
    // RTMP has no visible loss.
    expect(viewerColumns.loss.show(row(1, { lossPercent: undefined })).text).toBe('–');
  });

  it('shows why a viewer failed or is degraded', () => {
    const failure = { stage: 'ice', cause: 'timeout', detail: '' } as const;
    expect(stateText(row(1, { state: 'failed', failure }))).toBe('failed at ICE: no candidate pair responded in time');
    const own = { ...failure, cause: 'tester-open-files' };
    expect(stateText(row(1, { state: 'failed', failure: own }))).toBe(
      'failed at ICE: the tester ran out of open files',
    );
    expect(stateText(row(1, { degraded: true, degradedReason: 'stall' }))).toBe('connected, degraded by stall');
  });

  it('filters', () => {
    expect(passesFilter(row(1, { degraded: true }), 'degraded')).toBe(true);
    expect(passesFilter(row(1), 'failed')).toBe(false);
  });
});
