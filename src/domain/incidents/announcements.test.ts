import { expect, it } from 'vitest';
import { Announcements, isEndPending } from './announcements';
import type { Incident, IncidentChange } from './incident';

const minuteMs = 60_000;

/** What is said of a node that is lost and back at these times, in minutes. */
function said(times: readonly number[], untilMinutes: number): string[] {
  const announcements = new Announcements();
  const all: string[] = [];
  let count = 0;
  for (let minute = 0; minute <= untilMinutes; minute += 1) {
    for (const [place, at] of times.entries()) {
      if (at !== minute) continue;
      const isBegin = place % 2 === 0;
      if (isBegin) count += 1;
      const incident = { id: 'a', count, ...(isBegin ? {} : { endedMs: at }) } as unknown as Incident;
      const change: IncidentChange = isBegin
        ? { change: count === 1 ? 'opened' : 'updated', by: ['node-lost'], incident }
        : { change: 'resolved', incident };
      if (announcements.takes(change, () => true, minute * minuteMs) !== undefined)
        all.push(`${minute} ${isBegin ? 'lost' : 'back'}`);
    }
    for (const _ of announcements.due((id) => ({ id }) as Incident, minute * minuteMs)) all.push(`${minute} back`);
  }
  return all;
}

it('announces a loss and its end', () => {
  expect(said([1, 3], 30)).toEqual(['1 lost', '3 back']);
});

it('announces a second loss, and its end once it rests', () => {
  expect(said([1, 3, 5], 30)).toEqual(['1 lost', '3 back', '5 lost']);
  expect(said([1, 3, 5, 7], 30)).toEqual(['1 lost', '3 back', '5 lost', '17 back']);
});

it('is quiet about what comes and goes', () => {
  const flaps = Array.from({ length: 200 }, (_, place) => place + 1);
  expect(said(flaps, 300)).toEqual(['1 lost', '2 back', '3 lost', '210 back']);
});

it('an end is pending for 10 minutes, of what came back and has a length', () => {
  const back = { id: 'a', count: 2, endedMs: 5000, ended: 'a did not respond.' } as unknown as Incident;
  expect([5000, 604_999, 605_000].map((timeMs) => isEndPending(back, timeMs))).toEqual([true, true, false]);
  expect(isEndPending({ ...back, count: 1 }, 5000)).toBe(false);
  const { ended: _ended, ...moment } = back;
  expect(isEndPending(moment, 5000)).toBe(false);
});

it('announces what joins a quiet incident by a rule that is to be announced', () => {
  const announcements = new Announcements();
  const incident = { id: 'a', count: 1 } as unknown as Incident;
  const wants = (rule: string): boolean => rule === 'memory-high';
  const takes = (change: IncidentChange): boolean => announcements.takes(change, wants, 0) !== undefined;
  expect(takes({ change: 'opened', by: ['memory-running-out'], incident })).toBe(false);
  expect(takes({ change: 'updated', by: ['memory-high'], incident })).toBe(true);
  expect(takes({ change: 'updated', incident })).toBe(false);
  expect(takes({ change: 'resolved', incident: { ...incident, endedMs: 5 } })).toBe(true);
});

it('announces what joins a line that is over, once for each rule', () => {
  const announcements = new Announcements();
  const over = { id: 'a', rule: 'node-lost', count: 1, endedMs: 5 } as unknown as Incident;
  const takes = (change: IncidentChange): string | undefined =>
    announcements.takes(change, (rule) => rule !== 'version-changed', 0);
  expect(takes({ change: 'opened', by: ['node-lost'], incident: { ...over, endedMs: undefined } })).toBe('node-lost');
  expect(takes({ change: 'resolved', incident: over })).toBe('node-lost');
  // The process behind the outage is noticed a second later, and 1,000 times more.
  expect(takes({ change: 'updated', by: ['process-restarted'], incident: over })).toBe('process-restarted');
  expect(takes({ change: 'updated', by: ['process-restarted'], incident: { ...over, count: 2 } })).toBeUndefined();
  expect(takes({ change: 'updated', by: ['version-changed'], incident: over })).toBeUndefined();
});
