import { describe, expect, it } from 'vitest';
import type { AgentRecord } from '../../contract/agentSample';
import { recordWithoutTokens, withoutTokens } from './withoutTokens';

const token = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBUEl0ZXN0In0.qJ_3m-1xK';

describe('removing tokens from a text', () => {
  it.each([
    [`invalid token: ${token}, error: x`, 'invalid token: (token), error: x'],
    ['cut after it began: eyJhbGciOiJIUzI1Ni…', 'cut after it began: (token)…'],
    [`cut in its claims: ${token.slice(0, 60)}`, 'cut in its claims: (token)'],
    [`twice ${token} ${token}.`, 'twice (token) (token).'],
    ['the key "APItest" is unknown', 'the key "APItest" is unknown'],
    ['the host heyJude answers', 'the host heyJude answers'],
  ])('%s', (text, expected) => {
    expect(withoutTokens(text)).toBe(expected);
  });
});

it("removes them from an agent's events and from the problems of its publications", () => {
  const event: AgentRecord = {
    type: 'record',
    kind: 'event',
    sequence: 1,
    timeMs: 5,
    event: { name: 'job-ended', job: 'publish-1', message: `It said: invalid token: ${token}` },
  };
  expect(recordWithoutTokens(event)).toEqual({
    type: 'record',
    kind: 'event',
    sequence: 1,
    timeMs: 5,
    event: { name: 'job-ended', job: 'publish-1', message: 'It said: invalid token: (token)' },
  });
  const publication = { protocol: 'whip', bitrateKbps: 0, fps: 0, sinceMs: 1 } as const;
  const sample: AgentRecord = {
    type: 'record',
    kind: 'sample',
    sequence: 2,
    timeMs: 6,
    sample: {
      process: { cpuPercent: 1, memoryBytes: 1, openFiles: 1 },
      publications: [
        { ...publication, job: 'publish-1', state: 'failed', problem: `No: ${token}` },
        { ...publication, job: 'publish-2', state: 'live' },
      ],
    },
  };
  const cleaned = recordWithoutTokens(sample);
  expect(cleaned.kind === 'sample' && cleaned.sample.publications).toEqual([
    { ...publication, job: 'publish-1', state: 'failed', problem: 'No: (token)' },
    { ...publication, job: 'publish-2', state: 'live' },
  ]);
});
