import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  agentCalls,
  agentListening,
  agentRecord,
  agentRequest,
  agentResponse,
  agentStatus,
} from '../../contract/agentProtocol';

const folder = join(__dirname, '../../../tests/fixtures/agent-protocol');
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
const named = (pattern: RegExp): string[] => readdirSync(folder).filter((name) => pattern.test(name));

describe('the messages that the agent is tested with too', () => {
  it('are all of a kind that is read here', () => {
    const known =
      /^(listening(-.*)?|status-.*|.*-request|.*-response(-.*)?|.*-record(-.*)?|error-response)\.json$/;
    expect(readdirSync(folder).filter((name) => !known.test(name))).toEqual([]);
  });

  it.each(named(/record/))('%s is a record, and loses nothing in the reading', (name) => {
    const raw = read(name);
    expect(agentRecord.parse(raw)).toEqual(raw);
  });

  it.each(named(/response/))('%s is a response', (name) => {
    expect(agentResponse.parse(read(name))).toEqual(read(name));
  });

  it('a request has parameters that its call knows', () => {
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

  it.each(named(/listening/))('%s is the line that an agent begins with', (name) => {
    expect(agentListening.parse(read(name))).toEqual(read(name));
  });

  it.each(named(/status/))('%s is a status', (name) => {
    expect(agentStatus.parse(read(name))).toEqual(read(name));
  });
});

describe('what comes from an agent', () => {
  it('may hold fields of a later version', () => {
    const raw = { ...read('event-record.json'), weather: 'fair' };
    expect(agentRecord.parse(raw)).toMatchObject({ kind: 'event', sequence: 18 });
  });

  it('is refused when a figure is missing', () => {
    const raw = read('sample-record-audience.json') as { sample: { jobs: Array<Record<string, unknown>> } };
    delete raw.sample.jobs[0]?.['present'];
    expect(agentRecord.safeParse(raw).success).toBe(false);
  });
});

it('what goes to an agent holds nothing that it does not know', () => {
  const { params } = agentCalls['audience.stop'];
  expect(params.safeParse({ job: 'pull-1', force: true }).success).toBe(true);
  expect(params.safeParse({ job: 'pull-1', forced: true }).success).toBe(false);
});
