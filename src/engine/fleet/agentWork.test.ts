import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentRecord } from '../../contract/agentSample';
import { AgentWork } from './agentWork';

let sequence = 0;
const record = (kind: 'sample' | 'event', content: object) =>
  agentRecord.parse({ type: 'record', sequence: (sequence += 1), timeMs: 1, kind, [kind]: content });
const sample = (content: object) => record('sample', { process: { gcPauses: 0 }, ...content });
/** A sample of the protocol's own examples. */
const example = (name: string): Record<string, object[]> => {
  const file = join(__dirname, '../../../tests/fixtures/agent-protocol', `sample-record-${name}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { sample: Record<string, object[]> }).sample;
};
const job = (state: string) => ({ ...example('audience').jobs?.[0], state });
const publication = (state: string) => ({ ...example('publishing').publications?.[0], state });
const { lab: figures } = example('lab');
const lab = (streams: object[]) => ({ lab: { ...figures, streams } });
const stream = (figures as unknown as { streams: [object] }).streams[0];
const unattended = record('event', { name: 'unattended', message: 'No console connected for 10s: 1 viewers.' });

it.each([
  ['nothing', [sample({ jobs: [] })], false],
  ['viewers', [sample({ jobs: [job('holding')] })], true],
  ['viewers that have ended', [sample({ jobs: [job('holding')] }), sample({ jobs: [job('ended')] })], false],
  ['a publication', [sample({ jobs: [], publications: [publication('live')] })], true],
  ['a publication that failed', [sample({ jobs: [], publications: [publication('failed')] })], false],
  ['a stream of the lab', [sample(lab([stream]))], true],
  ['a lab without streams', [sample(lab([]))], false],
  ['viewers that ended without a console', [sample({ jobs: [job('holding')] }), unattended, sample({})], true],
  ['nothing without a console', [sample({ jobs: [] }), unattended, sample({})], false],
])('an agent with %s', (_, records, expected) => {
  const work = new AgentWork();
  for (const record of records) work.take(record);
  expect(work.isOpen).toBe(expected);
});
