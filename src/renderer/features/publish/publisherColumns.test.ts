import { describe, expect, it } from 'vitest';
import type { AgentPublisher } from '../../../contract/agentSample';
import { columnsOf, publisherColumns, sortPublishers, withRates } from './publisherColumns';

const publisher = (number: number, over: Partial<AgentPublisher> = {}): AgentPublisher => ({
  ...{ publisher: number, state: 'live', sinceMs: 0, bytes: 0, frames: 0, ...over },
});

describe('rates of publishers', () => {
  it('are those since the reading before', () => {
    const before = { atMs: 1000, publishers: [publisher(1, { bytes: 1000, frames: 10 })] };
    const now = { atMs: 3000, publishers: [publisher(1, { bytes: 51_000, frames: 60 })] };
    expect(withRates(now, before)).toMatchObject([{ bitrateKbps: 200, fps: 25 }]);
    expect(withRates(now, undefined)[0]).not.toHaveProperty('fps');
  });

  it('are absent for one that began again, and for one that is not live', () => {
    const before = { atMs: 0, publishers: [publisher(1, { bytes: 90, frames: 9 }), publisher(2)] };
    const now = { atMs: 2000, publishers: [publisher(1, { bytes: 5, frames: 1 }), publisher(2, { state: 'failed' })] };
    for (const row of withRates(now, before)) expect(row).not.toHaveProperty('bitrateKbps');
  });
});

describe('the list of publishers', () => {
  it('has the columns of its protocol', () => {
    expect(columnsOf([publisher(1, { unacknowledgedKb: 0, roundTripMs: 1 })])).toEqual(
      ...[['publisher', 'state', 'bitrate', 'fps', 'roundTrip', 'retransmissions', 'unacknowledged', 'interruptions']],
    );
    expect(columnsOf([publisher(1, { lossPercent: 0, keyframeRequests: 2 })])).toContain('keyframeRequests');
  });

  it('sorts failures first, and counts nothing for one that sent nothing', () => {
    const rows = [publisher(1, { frames: 5 }), publisher(2, { state: 'failed', problem: 'Taken.' })];
    expect(sortPublishers(rows, { column: 'state', isDescending: false }).map((row) => row.publisher)).toEqual([2, 1]);
    const { state, interruptions } = publisherColumns;
    expect(rows.map((row) => state.show(row).text)).toEqual(['live', 'failed: Taken.']);
    expect(rows.map((row) => interruptions.sortBy(row))).toEqual([0, undefined]);
  });
});
