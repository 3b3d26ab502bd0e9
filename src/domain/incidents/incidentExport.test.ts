import { expect, it } from 'vitest';
import type { Incident } from './incident';
import { incidentsCsv, incidentsJson } from './incidentExport';

const beganMs = Date.UTC(2026, 10, 21, 3, 12, 4);
const incident: Incident = {
  ...{ id: 'a-1', rule: 'node-lost', kind: 'node-lost', severity: 'critical', node: 'origin', nodes: ['origin'] },
  ...{ subjects: ['=cmd', 'b'], causes: [], firing: [], places: [], unwatched: [], count: 2 },
  ...{ beganMs, endedMs: beganMs + 90_000, lastMs: beganMs + 90_000 },
  ...{ began: 'origin stopped responding: "no, thanks".', ended: 'origin did not respond, for 90 s.' },
};

it('a list of incidents as CSV has a row for each, which no spreadsheet computes', () => {
  const { endedMs: _end, ended: _ended, ...firing } = incident;
  expect(incidentsCsv([incident, { ...firing, firing: ['x'] }], beganMs + 5000).split('\n')).toEqual([
    'incident,rule,kind,severity,state,node,subject,startedAt,endedAt,lengthMs,times,sentence',
    `a-1,node-lost,node-lost,critical,resolved,origin,'=cmd b,2026-11-21T03:12:04.000Z,2026-11-21T03:13:34.000Z,90000,2,"origin did not respond, for 90 s."`,
    `a-1,node-lost,node-lost,critical,firing,origin,'=cmd b,2026-11-21T03:12:04.000Z,,5000,2,"origin stopped responding: ""no, thanks""."`,
    '',
  ]);
});

it('as JSON it is what a webhook receives, one incident a line', () => {
  const resolved = { incident: 'a-1', state: 'resolved', subject: ['=cmd', 'b'], endedAt: '2026-11-21T03:13:34.000Z' };
  const text = incidentsJson([incident, incident], beganMs);
  expect(JSON.parse(text)).toMatchObject([resolved, resolved]);
  expect(text.trimEnd().split('\n')).toHaveLength(4);
  expect(incidentsJson([], beganMs)).toBe('[]\n');
});
