import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentCalls } from '../../contract/agentCalls';
import { agentListening, agentRequest, agentResponse, agentStatus } from '../../contract/agentProtocol';
import { agentRecord } from '../../contract/agentSample';

const folder = join(__dirname, '../../../tests/fixtures/agent-protocol');
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
const named = (pattern: RegExp): string[] => readdirSync(folder).filter((name) => pattern.test(name));

describe("the messages shared with the agent's tests", () => {
  it('are all of a known kind', () => {
    const known = /^(listening(-.*)?|status-.*|.*-request|.*-response(-.*)?|.*-record(-.*)?|error-response)\.json$/;
    expect(readdirSync(folder).filter((name) => !known.test(name))).toEqual([]);
  });

  it.each(named(/record/))('%s is a record, parsed without loss', (name) => {
    const raw = read(name);
    expect(agentRecord.parse(raw)).toEqual(raw);
  });

  it.each(named(/response/))('%s is a response', (name) => {
    expect(agentResponse.parse(read(name))).toEqual(read(name));
  });

  it('a request has the parameters of its call', () => {
    for (const name of named(/request/)) {
      const { call, params } = agentRequest.parse(read(name));
      const schema = agentCalls[call as keyof typeof agentCalls].params;
      expect(schema.parse(params)).toEqual(params);
    }
  });

  it.each([
    ['hello-response-audience.json', 'hello'],
    ['audience-start-response.json', 'audience.start'],
    ['audience-viewers-response.json', 'audience.viewers'],
    ['audience-viewer-response.json', 'audience.viewer'],
    ['audience-publish-response.json', 'audience.publish'],
    ['lab-viewers-response.json', 'lab.viewers'],
  ] as const)('%s is a result of %s', (name, call) => {
    const { result } = read(name);
    expect(agentCalls[call].result.parse(result)).toEqual(result);
  });

  it.each(named(/listening/))('%s is the first line of an agent', (name) => {
    expect(agentListening.parse(read(name))).toEqual(read(name));
  });

  it.each(named(/status/))('%s is a status', (name) => {
    expect(agentStatus.parse(read(name))).toEqual(read(name));
  });
});

describe('a message from an agent', () => {
  it('may contain fields of a later version', () => {
    const raw = { ...read('event-record.json'), weather: 'fair' };
    expect(agentRecord.parse(raw)).toMatchObject({ kind: 'event', sequence: 18 });
  });

  it.each([
    { process: {}, jobs: [], tester: {} },
    { process: {}, lab: { viewers: 2, bitrateOutKbps: 340, packetsOutPerSecond: 84, streams: [] } },
    {
      process: {},
      lab: {
        viewers: 0,
        bitrateOutKbps: 0,
        packetsOutPerSecond: 0,
        streams: [{ stream: 'cam', source: 'whip', viewers: 0 }],
      },
    },
  ])('may lack what agents of older versions do not send: %j', (sample) => {
    const record = { ...read('sample-record-lab.json'), sample };
    expect(agentRecord.parse(record)).toEqual(record);
  });

  it.each([{ warnings: null }, {}])('may confirm a job with %j', (older) => {
    const confirmed = { job: 'pull-1', viewers: 1, ...older };
    expect(agentCalls['audience.start'].result.parse(confirmed)).toEqual(confirmed);
  });

  it('is rejected when a figure is missing', () => {
    const raw = read('sample-record-audience.json') as { sample: { jobs: Array<Record<string, unknown>> } };
    delete raw.sample.jobs[0]?.['present'];
    expect(agentRecord.safeParse(raw).success).toBe(false);
  });
});

it('a message to an agent contains no unknown fields', () => {
  const { params } = agentCalls['audience.stop'];
  expect(params.safeParse({ job: 'pull-1', force: true }).success).toBe(true);
  expect(params.safeParse({ job: 'pull-1', forced: true }).success).toBe(false);
});
