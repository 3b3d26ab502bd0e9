import { expect, it } from 'vitest';
import { sampleIncidents } from '../../tests/renderer/fakeIncidents';
import type { IncidentNews } from '../contract/incidentCalls';
import { noticesOf } from './incidentNotices';

const all = sampleIncidents(1_800_000_000_000);
const news = (notifies: boolean, count: number): IncidentNews => ({
  changes: all.slice(0, count).map((incident) => ({
    change: incident.endedMs === undefined ? 'opened' : 'resolved',
    incident,
    notifies,
  })),
});

it('names what happened, where, and whether it is over', () => {
  expect(noticesOf({ changes: news(true, 4).changes.filter((_, place) => place === 0 || place === 3) })).toEqual([
    {
      title: 'Incident: origin and tester-1',
      body: 'origin and tester-1 stopped responding: connections were refused.',
    },
    { title: 'Resolved: origin', body: 'The stream news of origin was without a publisher for 5 min.' },
  ]);
});

it('is one for many, and none that no rule wants', () => {
  expect(noticesOf(news(true, 5))).toEqual([{ title: '5 incidents', body: 'On origin, tester-1 and 1 more.' }]);
  expect(noticesOf(news(false, 5))).toEqual([]);
});

it('shows what other programs have written as text, and not more than fits', () => {
  const [first] = all;
  if (!first) throw new Error('No incident.');
  const incident = { ...first, began: `a\u001b[31m${'b'.repeat(1000)}` };
  const [notice] = noticesOf({ changes: [{ change: 'opened', incident, notifies: true }] });
  expect(notice?.body).toMatch(/^a␛\[31mb+…$/);
  expect(notice?.body).toHaveLength(300);
});
