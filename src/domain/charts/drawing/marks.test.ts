import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../model/run';
import { groupMarks, laneMarks, markTimes, type LaneMark } from './marks';

const event = (id: number, mark: RunEvent['mark'], timeMs: number): RunEvent => ({
  id,
  mark,
  timeMs,
  kind: 'threshold',
  who: 'run',
  sentence: '',
  outcome: id === 1 ? 'reason 3' : undefined,
});
const mark = (kind: LaneMark['kind'], timeMs: number, id: number): LaneMark => ({
  kind,
  timeMs,
  number: kind === 'reason' ? id : undefined,
  text: '',
  events: [id],
});

describe('laneMarks', () => {
  it('omits freezes and phases and counts from the start of the run', () => {
    const marks = laneMarks(
      'cpu',
      [event(1, 'limit', 5000), event(2, 'freeze', 6000), event(3, 'phase', 7000)],
      [],
      1000,
    );
    expect(marks.map(({ kind, timeMs }) => [kind, timeMs])).toEqual([['limit', 4000]]);
  });
  it('shows a reason only in charts it refers to, with its events', () => {
    const reason = { number: 3, sentence: '', expected: '', expectation: 'gcPause', timeMs: 5000 } as const;
    const events = [event(1, 'none', 5000)];
    expect(laneMarks('cpu', events, [reason], 0)).toEqual([]);
    expect(laneMarks('gc', events, [reason], 0)).toMatchObject([{ kind: 'reason', number: 3, events: [1] }]);
  });
});

describe('groupMarks', () => {
  const xOf = (timeMs: number): number => timeMs / 1000;
  it('leaves room for the count beside a group', () => {
    const marks = [mark('lost', 0, 1), mark('lost', 5000, 2), mark('lost', 14_000, 3), mark('lost', 40_000, 4)];
    expect(groupMarks(marks, xOf).map(({ count }) => count)).toEqual([3, 1]);
    const reasons = [mark('lost', 0, 1), mark('reason', 5000, 1), mark('reason', 12_000, 2)];
    expect(groupMarks(reasons, xOf).map(({ drawnX }) => drawnX)).toEqual([5, 29]);
  });
  it('merges marks closer than 10 px into the most important one, with a count', () => {
    const groups = groupMarks([mark('note', 10_000, 1), mark('limit', 15_000, 2), mark('note', 40_000, 3)], xOf);
    expect(groups).toMatchObject([
      { mark: { kind: 'limit' }, x: 15, count: 2, events: [1, 2] },
      { mark: { kind: 'note' }, x: 40, count: 1 },
    ]);
  });
  it('never merges two reasons: the second number is shifted', () => {
    const groups = groupMarks([mark('reason', 10_000, 1), mark('reason', 12_000, 2)], xOf);
    expect(groups.map(({ mark: { number }, x, drawnX }) => [number, x, drawnX])).toEqual([
      [1, 10, 10],
      [2, 12, 24],
    ]);
  });
  it('merges a mark with a number that is drawn in its place, though it happened elsewhere', () => {
    const marks = [mark('reason', 10_000, 1), mark('reason', 12_000, 2), mark('note', 24_000, 3)];
    expect(groupMarks(marks, xOf).map(({ drawnX, count }) => [drawnX, count])).toEqual([
      [10, 1],
      [24, 2],
    ]);
  });
});

describe('markTimes', () => {
  it('stops at freezes too, though they are in the log and not in the lane', () => {
    const reason = { number: 1, sentence: '', expected: '', timeMs: 9000 };
    expect(markTimes([event(1, 'freeze', 6000), event(2, 'phase', 7000)], [reason], 1000)).toEqual([5000, 8000]);
  });
});
