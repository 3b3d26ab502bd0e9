import { describe, expect, it } from 'vitest';
import { AnnouncementQueue } from './announcementQueue';

describe('announcements', () => {
  it('are made at most once in 5 s, with the latest position of the crosshair', () => {
    const queue = new AnnouncementQueue();
    queue.add('crosshair', 'at 0:10');
    expect(queue.take(1000)).toBe('at 0:10');
    queue.add('crosshair', 'at 0:11');
    queue.add('crosshair', 'at 0:12');
    expect([queue.take(5999), queue.waitMs(5999)]).toEqual([undefined, 1]);
    expect(queue.take(6000)).toBe('at 0:12');
    expect(queue.waitMs(6000)).toBeUndefined();
  });

  it('have every event in order, or their number', () => {
    const queue = new AnnouncementQueue();
    for (const event of ['A.', 'B.', 'C.', 'D.', 'E.']) queue.add('event', event);
    queue.add('crosshair', 'at 0:10');
    expect(queue.take(0)).toBe('A. B. C. 2 more events. at 0:10');
  });

  it('of a result are made at once', () => {
    const queue = new AnnouncementQueue();
    queue.add('event', 'A.');
    queue.take(0);
    queue.add('event', 'B.');
    expect(queue.take(10)).toBeUndefined();
    queue.add('result', 'Verdict: pass.');
    expect(queue.take(20)).toBe('Verdict: pass. B.');
  });
});
